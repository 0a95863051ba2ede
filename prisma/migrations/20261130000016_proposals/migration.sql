-- CreateTable
CREATE TABLE "proposals" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "maker_kind" TEXT NOT NULL,
    "maker_id" TEXT NOT NULL,
    "session_id" TEXT,
    "base_revision" INTEGER,
    "base_digest" TEXT,
    "digest" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "text_digest" TEXT NOT NULL,
    "reason" TEXT,
    "rebased_from" TEXT,
    "proposed_at" TIMESTAMPTZ(3) NOT NULL,
    "proposed_receipt" TEXT NOT NULL,
    "change" TEXT,
    "proof_digest" TEXT,
    "applicable" BOOLEAN,
    "proved_at" TIMESTAMPTZ(3),
    "proved_receipt" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" TEXT,
    "ended_reason" TEXT,
    "ended_receipt" TEXT,
    "revision" INTEGER,
    "replaced_by" TEXT,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "proposal_signatures" (
    "workspace_id" TEXT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "envelope" TEXT NOT NULL,
    "documents" TEXT[],
    "proof_digest" TEXT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,
    "receipt_id" TEXT NOT NULL,

    CONSTRAINT "proposal_signatures_pkey" PRIMARY KEY ("workspace_id","proposal_id","person_id")
);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_state_proposed_at_idx" ON "proposals"("workspace_id", "state", "proposed_at");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_maker_id_proposed_at_idx" ON "proposals"("workspace_id", "maker_id", "proposed_at");

-- Closed vocabularies, and rows that are whole: a proof has all its parts or none, and what has ended says how.
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_target" CHECK ("target" IN ('policy', 'grant', 'allowlist'));
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_state" CHECK ("state" IN ('open', 'signed', 'applied', 'rejected', 'withdrawn', 'stale'));
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_base" CHECK (("base_revision" IS NULL) = ("base_digest" IS NULL));
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_proof" CHECK (num_nulls("change", "proof_digest", "applicable", "proved_at", "proved_receipt") IN (0, 5));
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_signed" CHECK ("state" NOT IN ('signed', 'applied') OR "proof_digest" IS NOT NULL);
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_ended" CHECK (("state" IN ('open', 'signed')) = ("ended_at" IS NULL));
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_end" CHECK (num_nulls("ended_at", "ended_by", "ended_receipt") IN (0, 3));

-- Proposals stay for ever: what ends them is a state.
CREATE TRIGGER "proposals_kept" BEFORE DELETE ON "proposals" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "proposals_no_truncate" BEFORE TRUNCATE ON "proposals" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "proposal_signatures_append_only" BEFORE UPDATE OR DELETE ON "proposal_signatures" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "proposal_signatures_no_truncate" BEFORE TRUNCATE ON "proposal_signatures" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
