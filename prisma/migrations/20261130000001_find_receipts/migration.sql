-- CreateIndex
CREATE INDEX "receipts_workspace_id_agent_id_index_idx" ON "receipts"("workspace_id", "agent_id", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_person_index_idx" ON "receipts"("workspace_id", "person", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_tool_index_idx" ON "receipts"("workspace_id", "tool", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_decision_index_idx" ON "receipts"("workspace_id", "decision", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_kind_index_idx" ON "receipts"("workspace_id", "kind", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_at_idx" ON "receipts"("workspace_id", "at");

-- CreateIndex
CREATE INDEX "sessions_workspace_id_state_idx" ON "sessions"("workspace_id", "state");
