-- CreateTable
CREATE TABLE "family_permits" (
    "workspace_id" TEXT NOT NULL,
    "root_id" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "session_id" TEXT NOT NULL,
    "action_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "effect" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "labels" TEXT[],

    CONSTRAINT "family_permits_pkey" PRIMARY KEY ("workspace_id","root_id","n")
);

CREATE TRIGGER "family_permits_append_only" BEFORE UPDATE OR DELETE ON "family_permits" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "family_permits_no_truncate" BEFORE TRUNCATE ON "family_permits" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
