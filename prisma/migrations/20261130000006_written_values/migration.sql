-- CreateTable
CREATE TABLE "written_values" (
    "workspace_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "bits" BIT(8192) NOT NULL,

    CONSTRAINT "written_values_pkey" PRIMARY KEY ("workspace_id","key")
);

-- What was written stays written.
CREATE FUNCTION "refuse_unwriting"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW."bits" & OLD."bits") <> OLD."bits" THEN
    RAISE EXCEPTION 'what sessions wrote to a resource is never taken back' USING ERRCODE = 'LG003';
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER "written_values_only_rise" BEFORE UPDATE OR DELETE ON "written_values" FOR EACH ROW EXECUTE FUNCTION "refuse_unwriting"();
CREATE TRIGGER "written_values_no_truncate" BEFORE TRUNCATE ON "written_values" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
