-- AlterTable
ALTER TABLE "approvals" ADD COLUMN     "escalates_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "approvals_workspace_id_state_escalates_at_idx" ON "approvals"("workspace_id", "state", "escalates_at");
