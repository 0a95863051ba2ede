-- AlterTable
ALTER TABLE "deferrals" ADD COLUMN     "ask_at" TIMESTAMPTZ(3),
ADD COLUMN     "depth" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "waits_for" TEXT[];

-- A deferral of the time before waits for no other action.
UPDATE "deferrals" SET "waits_for" = '{}';

-- CreateTable
CREATE TABLE "deferral_attempts" (
    "workspace_id" TEXT NOT NULL,
    "deferral_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "detail" TEXT,

    CONSTRAINT "deferral_attempts_pkey" PRIMARY KEY ("workspace_id","deferral_id","subject","name","source","attempt")
);

-- CreateIndex
CREATE INDEX "deferrals_workspace_id_action_id_idx" ON "deferrals"("workspace_id", "action_id");

-- CreateIndex
CREATE INDEX "deferrals_workspace_id_state_ask_at_idx" ON "deferrals"("workspace_id", "state", "ask_at");

-- Bounds that no fault may pass: three attempts a source, and an outcome that the code can read.
ALTER TABLE "deferrals" ADD CONSTRAINT "deferrals_depth" CHECK ("depth" >= 1);
ALTER TABLE "deferral_attempts" ADD CONSTRAINT "deferral_attempts_bound" CHECK ("attempt" BETWEEN 1 AND 3);
ALTER TABLE "deferral_attempts" ADD CONSTRAINT "deferral_attempts_outcome" CHECK ("outcome" IS NULL OR "outcome" IN ('supplied', 'unavailable', 'failed'));
ALTER TABLE "deferral_attempts" ADD CONSTRAINT "deferral_attempts_answered" CHECK (("outcome" IS NULL) = ("answered_at" IS NULL));
