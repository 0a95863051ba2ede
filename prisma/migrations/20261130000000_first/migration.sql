-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "workspaces" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_heads" (
    "workspace_id" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "size" BIGINT NOT NULL DEFAULT 0,
    "last_hash" BYTEA NOT NULL,
    "frontier" BYTEA NOT NULL,
    "logged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_heads_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "receipts" (
    "workspace_id" TEXT NOT NULL,
    "index" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "envelope" TEXT NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    "session_id" TEXT,
    "action_id" TEXT,
    "agent_id" TEXT,
    "person" TEXT,
    "tool" TEXT,
    "operation" TEXT,
    "decision" TEXT,
    "revision" INTEGER,
    "labels" TEXT[],

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("workspace_id","index")
);

-- CreateTable
CREATE TABLE "ledger_tiles" (
    "workspace_id" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "index" BIGINT NOT NULL,
    "root" BYTEA NOT NULL,

    CONSTRAINT "ledger_tiles_pkey" PRIMARY KEY ("workspace_id","level","index")
);

-- CreateTable
CREATE TABLE "checkpoints" (
    "workspace_id" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkpoints_pkey" PRIMARY KEY ("workspace_id","size")
);

-- CreateTable
CREATE TABLE "contents" (
    "workspace_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "contents_pkey" PRIMARY KEY ("workspace_id","digest")
);

-- CreateTable
CREATE TABLE "people" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "suspended_at" TIMESTAMPTZ(3),
    "signed_out_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "people_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "agents" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "scope" TEXT[],
    "registered_by" TEXT NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "credentials" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "credentials_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "trust_roots" (
    "workspace_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "envelope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trust_roots_pkey" PRIMARY KEY ("workspace_id","version")
);

-- CreateTable
CREATE TABLE "rosters" (
    "workspace_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "envelope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rosters_pkey" PRIMARY KEY ("workspace_id","version")
);

-- CreateTable
CREATE TABLE "policy_revisions" (
    "workspace_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "applied_by" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_revisions_pkey" PRIMARY KEY ("workspace_id","revision")
);

-- CreateTable
CREATE TABLE "key_enrolments" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_enrolments_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "set_up_links" (
    "workspace_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "set_up_links_pkey" PRIMARY KEY ("workspace_id","token_hash")
);

-- CreateTable
CREATE TABLE "sessions" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "human" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "expected_scope" TEXT,
    "state" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "head" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "context_entries" (
    "workspace_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "body" TEXT NOT NULL,

    CONSTRAINT "context_entries_pkey" PRIMARY KEY ("workspace_id","session_id","seq")
);

-- CreateTable
CREATE TABLE "actions" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "human" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "asked_digest" TEXT NOT NULL,
    "effective_digest" TEXT NOT NULL,
    "reason" TEXT,
    "depends_on" TEXT[],
    "decision" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "reason_shown" TEXT NOT NULL,
    "guidance" TEXT,
    "classification" TEXT,
    "impact" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "snapshot_digest" TEXT,
    "revision" INTEGER,
    "policy_digest" TEXT,
    "epoch" BIGINT NOT NULL,
    "context_head" TEXT NOT NULL,
    "receipt_id" TEXT NOT NULL,
    "receipt_index" BIGINT NOT NULL,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "permit_id" TEXT,
    "permit_expires_at" TIMESTAMPTZ(3),
    "permit_receipt" TEXT,
    "permit_epoch" BIGINT,
    "permit_head" TEXT,
    "redeemed_at" TIMESTAMPTZ(3),
    "redeemed_by" TEXT,
    "outcome_due_at" TIMESTAMPTZ(3),
    "outcome_at" TIMESTAMPTZ(3),
    "output_digest" TEXT,
    "outcome_error" TEXT,

    CONSTRAINT "actions_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "action_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "impact" TEXT NOT NULL,
    "approvers" TEXT[],
    "all_groups" BOOLEAN NOT NULL,
    "quorum" INTEGER NOT NULL,
    "separation" BOOLEAN NOT NULL,
    "basis" TEXT NOT NULL,
    "basis_digest" TEXT NOT NULL,
    "held" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,
    "resolution" TEXT,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "votes" (
    "workspace_id" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT,
    "statement" TEXT,
    "envelope" TEXT,
    "key_id" TEXT,
    "key_kind" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "votes_pkey" PRIMARY KEY ("workspace_id","approval_id","person_id")
);

-- CreateTable
CREATE TABLE "deferrals" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "action_id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "missing" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "deferrals_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "workspace_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_digest" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("workspace_id","credential_id","key")
);

-- CreateTable
CREATE TABLE "switches" (
    "workspace_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "thrown_by" TEXT NOT NULL,
    "thrown_at" TIMESTAMPTZ(3) NOT NULL,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "switches_pkey" PRIMARY KEY ("workspace_id","scope","subject","thrown_at")
);

-- CreateIndex
CREATE INDEX "receipts_workspace_id_session_id_index_idx" ON "receipts"("workspace_id", "session_id", "index");

-- CreateIndex
CREATE INDEX "receipts_workspace_id_action_id_index_idx" ON "receipts"("workspace_id", "action_id", "index");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_workspace_id_id_key" ON "receipts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "people_workspace_id_email_key" ON "people"("workspace_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "credentials_token_hash_key" ON "credentials"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "key_enrolments_workspace_id_key_id_key" ON "key_enrolments"("workspace_id", "key_id");

-- CreateIndex
CREATE INDEX "sessions_workspace_id_opened_at_idx" ON "sessions"("workspace_id", "opened_at");

-- CreateIndex
CREATE INDEX "actions_workspace_id_session_id_state_idx" ON "actions"("workspace_id", "session_id", "state");

-- CreateIndex
CREATE INDEX "actions_workspace_id_state_changed_at_idx" ON "actions"("workspace_id", "state", "changed_at");

-- CreateIndex
CREATE INDEX "actions_workspace_id_agent_id_proposed_at_idx" ON "actions"("workspace_id", "agent_id", "proposed_at");

-- CreateIndex
CREATE UNIQUE INDEX "actions_workspace_id_permit_id_key" ON "actions"("workspace_id", "permit_id");

-- CreateIndex
CREATE INDEX "approvals_workspace_id_state_expires_at_idx" ON "approvals"("workspace_id", "state", "expires_at");

-- CreateIndex
CREATE INDEX "approvals_workspace_id_action_id_idx" ON "approvals"("workspace_id", "action_id");

-- CreateIndex
CREATE INDEX "deferrals_workspace_id_state_expires_at_idx" ON "deferrals"("workspace_id", "state", "expires_at");

-- CreateIndex
CREATE INDEX "deferrals_workspace_id_session_id_state_idx" ON "deferrals"("workspace_id", "session_id", "state");

-- Receipts and context entries are written once. This protects from accidents; the proofs protect from owners of the database.
CREATE FUNCTION "refuse_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'LG001';
END;
$$;

CREATE TRIGGER "receipts_append_only" BEFORE UPDATE OR DELETE ON "receipts" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipts_no_truncate" BEFORE TRUNCATE ON "receipts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "context_entries_append_only" BEFORE UPDATE OR DELETE ON "context_entries" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "context_entries_no_truncate" BEFORE TRUNCATE ON "context_entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "ledger_tiles_append_only" BEFORE UPDATE OR DELETE ON "ledger_tiles" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "ledger_tiles_no_truncate" BEFORE TRUNCATE ON "ledger_tiles" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "checkpoints_append_only" BEFORE UPDATE OR DELETE ON "checkpoints" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "checkpoints_no_truncate" BEFORE TRUNCATE ON "checkpoints" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "votes_append_only" BEFORE UPDATE OR DELETE ON "votes" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();

-- The head moves forward only.
CREATE FUNCTION "refuse_going_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."size" < OLD."size" OR NEW."epoch" < OLD."epoch" OR NEW."logged_at" < OLD."logged_at" THEN
    RAISE EXCEPTION 'the head of the log never goes back' USING ERRCODE = 'LG002';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "ledger_heads_forward_only" BEFORE UPDATE ON "ledger_heads" FOR EACH ROW EXECUTE FUNCTION "refuse_going_back"();

-- Closed vocabularies, so that a row cannot say what the code cannot read.
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_kind" CHECK ("kind" IN ('agent', 'orchestrator', 'enforcement_point', 'information_point'));
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_state" CHECK ("state" IN ('open', 'closed'));
ALTER TABLE "actions" ADD CONSTRAINT "actions_decision" CHECK ("decision" IN ('ALLOW', 'MODIFY', 'STEP_UP', 'DEFER', 'DENY'));
ALTER TABLE "actions" ADD CONSTRAINT "actions_state" CHECK ("state" IN ('denied', 'held', 'deferred', 'permitted', 'redeemed', 'succeeded', 'failed', 'unknown', 'expired', 'withdrawn', 'superseded'));
ALTER TABLE "actions" ADD CONSTRAINT "actions_permit" CHECK ("state" NOT IN ('permitted', 'redeemed', 'succeeded', 'failed', 'unknown') OR "permit_id" IS NOT NULL);
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_state" CHECK ("state" IN ('pending', 'approved', 'denied', 'expired', 'withdrawn', 'superseded', 'stale'));
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_quorum" CHECK ("quorum" >= 1 AND cardinality("approvers") >= 1);
ALTER TABLE "votes" ADD CONSTRAINT "votes_verdict" CHECK ("verdict" IN ('approve', 'deny'));
ALTER TABLE "votes" ADD CONSTRAINT "votes_approval_signed" CHECK ("verdict" <> 'approve' OR ("envelope" IS NOT NULL AND "key_id" IS NOT NULL));
ALTER TABLE "deferrals" ADD CONSTRAINT "deferrals_state" CHECK ("state" IN ('open', 'resolved', 'expired', 'withdrawn'));
ALTER TABLE "people" ADD CONSTRAINT "people_email_lower" CHECK ("email" = lower("email"));

-- Rows of the hot path stay in one piece and uncompressed: compressing signed text costs more than writing it.
ALTER TABLE "receipts" SET (toast_tuple_target = 8160);
ALTER TABLE "receipts" ALTER COLUMN "envelope" SET STORAGE EXTERNAL;
ALTER TABLE "contents" SET (toast_tuple_target = 8160);
ALTER TABLE "contents" ALTER COLUMN "body" SET STORAGE EXTERNAL;
ALTER TABLE "actions" SET (toast_tuple_target = 8160);
ALTER TABLE "actions" ALTER COLUMN "body" SET STORAGE EXTERNAL;
ALTER TABLE "context_entries" SET (toast_tuple_target = 8160);
ALTER TABLE "context_entries" ALTER COLUMN "body" SET STORAGE EXTERNAL;
