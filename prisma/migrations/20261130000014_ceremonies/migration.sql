-- CreateTable
CREATE TABLE "ceremonies" (
    "workspace_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "change" TEXT NOT NULL,
    "envelopes" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "ceremonies_pkey" PRIMARY KEY ("workspace_id","digest")
);

-- CreateIndex
CREATE INDEX "ceremonies_workspace_id_state_idx" ON "ceremonies"("workspace_id", "state");
