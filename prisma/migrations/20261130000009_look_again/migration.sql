-- CreateTable
CREATE TABLE "sessions_to_look_at" (
    "workspace_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_to_look_at_pkey" PRIMARY KEY ("workspace_id","session_id")
);
