-- CreateTable
CREATE TABLE "notices" (
    "workspace_id" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("workspace_id","approval_id","kind")
);

-- CreateTable
CREATE TABLE "notice_messages" (
    "workspace_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "approval_id" TEXT,
    "count" INTEGER NOT NULL,
    "attempts" INTEGER NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notice_messages_pkey" PRIMARY KEY ("workspace_id","channel","recipient","id")
);

-- CreateTable
CREATE TABLE "notice_places" (
    "workspace_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "worker" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL,
    "failing_since" TIMESTAMPTZ(3),
    "fault" TEXT,
    "last_sent_at" TIMESTAMPTZ(3),
    "given_up" INTEGER NOT NULL,
    "span_began" TIMESTAMPTZ(3) NOT NULL,
    "sent" INTEGER NOT NULL,

    CONSTRAINT "notice_places_pkey" PRIMARY KEY ("workspace_id","channel","recipient")
);

-- CreateIndex
CREATE INDEX "notices_workspace_id_at_idx" ON "notices"("workspace_id", "at");
