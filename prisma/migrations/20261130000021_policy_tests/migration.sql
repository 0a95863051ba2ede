-- CreateTable
CREATE TABLE "policy_tests" (
    "workspace_id" TEXT NOT NULL,
    "proposal_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "policy_tests_pkey" PRIMARY KEY ("workspace_id","proposal_id")
);

-- What a proposal was proved with stays with it.
CREATE TRIGGER "policy_tests_append_only" BEFORE UPDATE OR DELETE ON "policy_tests" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "policy_tests_no_truncate" BEFORE TRUNCATE ON "policy_tests" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
