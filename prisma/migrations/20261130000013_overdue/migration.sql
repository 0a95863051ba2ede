-- Every plane looks each second for permits that ran out and outcomes that did not come. By these it finds them without
-- looking at all that are still in time; rows in other states are in neither.
CREATE INDEX "actions_permits_by_end" ON "actions"("workspace_id", "permit_expires_at") WHERE "state" = 'permitted';
CREATE INDEX "actions_outcomes_by_due" ON "actions"("workspace_id", "outcome_due_at") WHERE "state" = 'redeemed';
