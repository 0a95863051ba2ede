-- CreateTable
CREATE TABLE "proof_jobs" (
    "workspace_id" TEXT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "runner" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "percent" INTEGER NOT NULL,
    "detail" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,
    "cancel_asked" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "proof_jobs_pkey" PRIMARY KEY ("workspace_id","proposal_id")
);

-- CreateTable
CREATE TABLE "shadows" (
    "workspace_id" TEXT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_why" TEXT,
    "next" BIGINT NOT NULL,
    "receipts" INTEGER NOT NULL,
    "decisions" INTEGER NOT NULL,
    "replayed" INTEGER NOT NULL,
    "differing" INTEGER NOT NULL,
    "counts" TEXT NOT NULL,

    CONSTRAINT "shadows_pkey" PRIMARY KEY ("workspace_id","proposal_id")
);

-- CreateTable
CREATE TABLE "shadow_differences" (
    "workspace_id" TEXT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "index" BIGINT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "shadow_differences_pkey" PRIMARY KEY ("workspace_id","proposal_id","index")
);

-- Closed vocabularies, and numbers that can be.
ALTER TABLE "proof_jobs" ADD CONSTRAINT "proof_jobs_state" CHECK ("state" IN ('waiting', 'running', 'done', 'failed', 'cancelled'));
ALTER TABLE "proof_jobs" ADD CONSTRAINT "proof_jobs_percent" CHECK ("percent" BETWEEN 0 AND 100);
ALTER TABLE "shadows" ADD CONSTRAINT "shadows_ended" CHECK (("ended_at" IS NULL) = ("ended_why" IS NULL));
ALTER TABLE "shadows" ADD CONSTRAINT "shadows_time" CHECK ("ends_at" > "started_at" AND "next" >= 0);
