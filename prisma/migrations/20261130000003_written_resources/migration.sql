-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "began_at" TIMESTAMPTZ(3);
UPDATE "sessions" SET "began_at" = "opened_at";
ALTER TABLE "sessions" ALTER COLUMN "began_at" SET NOT NULL;

-- CreateIndex
CREATE INDEX "sessions_workspace_id_parent_id_state_idx" ON "sessions"("workspace_id", "parent_id", "state");

-- CreateTable
CREATE TABLE "written_resources" (
    "workspace_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "labels" TEXT[],
    "origin" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,

    CONSTRAINT "written_resources_pkey" PRIMARY KEY ("workspace_id","key")
);

ALTER TABLE "written_resources" ADD CONSTRAINT "written_resources_origin"
  CHECK ("origin" IN ('request', 'person', 'trusted_output', 'policy', 'untrusted_output', 'nowhere'));

-- Labels only rise and trust only falls. This protects from accidents; `countersign fsck` compares with the context entries.
CREATE FUNCTION "refuse_washing"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  trust CONSTANT text[] := ARRAY['request', 'person', 'trusted_output', 'policy', 'untrusted_output', 'nowhere'];
BEGIN
  IF TG_OP = 'DELETE' OR NOT NEW."labels" @> OLD."labels" OR array_position(trust, NEW."origin") < array_position(trust, OLD."origin") THEN
    RAISE EXCEPTION 'what sessions left on a resource is never washed off' USING ERRCODE = 'LG003';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "written_resources_only_rise" BEFORE UPDATE OR DELETE ON "written_resources" FOR EACH ROW EXECUTE FUNCTION "refuse_washing"();
CREATE TRIGGER "written_resources_no_truncate" BEFORE TRUNCATE ON "written_resources" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
