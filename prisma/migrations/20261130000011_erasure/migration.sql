-- A step of a session keeps its place and its hash when its text is erased, and only once the session has ended: nothing is
-- decided by it any more. Everything else about it stays refused.
CREATE FUNCTION "refuse_entry_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW."body" = '{"kind":"erased"}'
     AND (NEW."workspace_id", NEW."session_id", NEW."seq", NEW."hash") = (OLD."workspace_id", OLD."session_id", OLD."seq", OLD."hash")
     AND EXISTS (SELECT 1 FROM "sessions" AS s WHERE s."workspace_id" = OLD."workspace_id" AND s."id" = OLD."session_id" AND s."state" = 'closed') THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'LG001';
END;
$$;
DROP TRIGGER "context_entries_append_only" ON "context_entries";
CREATE TRIGGER "context_entries_append_only" BEFORE UPDATE OR DELETE ON "context_entries" FOR EACH ROW EXECUTE FUNCTION "refuse_entry_rewrite"();
