-- Each commit asks whether a person denied something in its session: nearly never, so the index holds next to nothing.
CREATE INDEX "actions_denied_by_people" ON "actions"("workspace_id", "session_id") WHERE "code" = 'approval_denied';
