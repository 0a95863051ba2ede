-- CreateTable
CREATE TABLE "grants" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "operation" TEXT,
    "uses" INTEGER NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "envelope" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "issued_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "grants_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "grants_workspace_id_created_at_id_idx" ON "grants"("workspace_id", "created_at", "id");

-- Uses only rise, and what ended stays ended: protection from accidents. What a grant gives stands in the signed receipts alone.
CREATE FUNCTION "refuse_regrant"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW."used" < OLD."used" OR NEW."uses" <> OLD."uses" OR (OLD."ended_at" IS NOT NULL AND NEW."ended_at" IS DISTINCT FROM OLD."ended_at") THEN
    RAISE EXCEPTION 'a grant neither regains uses nor comes back' USING ERRCODE = 'LG001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "grants_only_shrink" BEFORE UPDATE OR DELETE ON "grants" FOR EACH ROW EXECUTE FUNCTION "refuse_regrant"();
CREATE TRIGGER "grants_no_truncate" BEFORE TRUNCATE ON "grants" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
