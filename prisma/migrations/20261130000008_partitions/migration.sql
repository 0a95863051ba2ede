-- CreateTable
CREATE TABLE "receipt_facets" (
    "workspace_id" TEXT NOT NULL,
    "id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "agent_id" TEXT,
    "person" TEXT,
    "tool" TEXT,
    "operation" TEXT,
    "decision" TEXT,
    "labels" TEXT[],
    "rules" TEXT[],

    CONSTRAINT "receipt_facets_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "receipt_spans" (
    "workspace_id" TEXT NOT NULL,
    "nr" BIGINT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "to_at" TIMESTAMPTZ(3) NOT NULL,
    "from_revision" INTEGER,
    "to_revision" INTEGER,

    CONSTRAINT "receipt_spans_pkey" PRIMARY KEY ("workspace_id","nr")
);

-- The receipts so far step aside until they are copied.
ALTER TABLE "receipts" RENAME TO "receipts_before";
ALTER TABLE "receipts_before" RENAME CONSTRAINT "receipts_pkey" TO "receipts_before_pkey";

-- Partitioned by workspace and ranges of 2^20 leaves. Ids compare byte by byte on every server, so that their beginnings can be looked up.
CREATE TABLE "receipts" (
    "workspace_id" TEXT NOT NULL,
    "index" BIGINT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "envelope" TEXT STORAGE EXTERNAL NOT NULL,
    "leaf_hash" BYTEA NOT NULL,
    "session_id" TEXT COLLATE "C",
    "action_id" TEXT COLLATE "C",
    "agent_id" TEXT,
    "person" TEXT,
    "tool" TEXT,
    "operation" TEXT,
    "decision" TEXT,
    "revision" INTEGER,
    "labels" TEXT[],
    "rules" TEXT[],
    "facet" BIGINT NOT NULL,

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("workspace_id","index")
) PARTITION BY RANGE ("workspace_id", "index");

CREATE TRIGGER "receipts_append_only" BEFORE UPDATE OR DELETE ON "receipts" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipts_no_truncate" BEFORE TRUNCATE ON "receipts" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipt_facets_append_only" BEFORE UPDATE OR DELETE ON "receipt_facets" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipt_facets_no_truncate" BEFORE TRUNCATE ON "receipt_facets" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipt_spans_append_only" BEFORE UPDATE OR DELETE ON "receipt_spans" FOR EACH ROW EXECUTE FUNCTION "refuse_rewrite"();
CREATE TRIGGER "receipt_spans_no_truncate" BEFORE TRUNCATE ON "receipt_spans" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"();

-- Makes the partition for leaves nr * 2^20 to (nr + 1) * 2^20, unless it is there. It is made apart and attached: that takes a lock
-- which neither readers nor writers wait for, where CREATE TABLE … PARTITION OF would stop them all. Two that make the same one take turns.
CREATE FUNCTION "make_receipt_partition"("of_workspace" text, "nr" bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  part text := format('receipts_%s_%s', of_workspace, nr);
BEGIN
  IF to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
  -- The lock that attaching takes anyway; having waited for it, the server also hears of what was made meanwhile.
  LOCK TABLE "receipts" IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(quote_ident(part)) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE "receipts" INCLUDING STORAGE) WITH (toast_tuple_target = 8160)', part);
  EXECUTE format('CREATE TRIGGER "receipts_no_truncate" BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewrite"()', part);
  -- A partition holds one workspace, so the keys of its own indexes leave the workspace out. The facets' has everything that a search
  -- asks for beside: it is answered without a look at the receipts, which are wide.
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I ("id")', part || '_id', part);
  EXECUTE format('CREATE INDEX %I ON %I ("session_id", "index") WHERE "session_id" IS NOT NULL', part || '_session', part);
  EXECUTE format('CREATE INDEX %I ON %I ("action_id", "index") WHERE "action_id" IS NOT NULL', part || '_action', part);
  EXECUTE format('CREATE INDEX %I ON %I ("facet", "index") INCLUDE ("at", "revision", "workspace_id")', part || '_facet', part);
  EXECUTE format('ALTER TABLE "receipts" ATTACH PARTITION %I FOR VALUES FROM (%L, %s) TO (%L, %s)',
    part, of_workspace, nr * 1048576, of_workspace, (nr + 1) * 1048576);
END;
$$;

-- Ahead of need: false when somebody holds the table just now, and then there is time to try again.
CREATE FUNCTION "make_receipt_partition_ahead"("of_workspace" text, "nr" bigint) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
BEGIN
  PERFORM make_receipt_partition(of_workspace, nr);
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;

SELECT make_receipt_partition("workspace_id", "nr") FROM "ledger_heads", generate_series(0, ("size" + 262144) / 1048576) AS "nr";

-- The rules of decisions that were written before there was a column for them. What cannot be read has none; fsck names it.
CREATE FUNCTION pg_temp.rules_of("envelope" text) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT rule ->> 'id' FROM json_array_elements(
    convert_from(decode(envelope::json ->> 'payload', 'base64'), 'UTF8')::json #> '{predicate,determining}') AS rule);
EXCEPTION WHEN OTHERS THEN
  RETURN '{}';
END;
$$;

CREATE TEMPORARY TABLE "receipts_found" ON COMMIT DROP AS
  SELECT "workspace_id", "index", "labels", "rules", ROW("kind", "agent_id", "person", "tool", "operation", "decision", "labels", "rules")::text AS "key"
  FROM (SELECT b.*, coalesce("labels_before", '{}') AS "labels", CASE WHEN "kind" = 'action_decided' THEN pg_temp.rules_of("envelope") ELSE '{}' END AS "rules"
    FROM (SELECT "workspace_id", "index", "kind", "agent_id", "person", "tool", "operation", "decision", "envelope", "labels" AS "labels_before" FROM "receipts_before") AS b) AS f;

CREATE TEMPORARY TABLE "facets_found" ON COMMIT DROP AS
  SELECT "workspace_id", "key", row_number() OVER () AS "id", min("index") AS "index" FROM "receipts_found" GROUP BY "workspace_id", "key";

INSERT INTO "receipt_facets"
  SELECT b."workspace_id", f."id", b."kind", b."agent_id", b."person", b."tool", b."operation", b."decision", r."labels", r."rules"
  FROM "facets_found" AS f
  JOIN "receipts_found" AS r USING ("workspace_id", "index")
  JOIN "receipts_before" AS b USING ("workspace_id", "index");

INSERT INTO "receipts"
  SELECT b."workspace_id", b."index", b."id", b."kind", b."at", b."envelope", b."leaf_hash", b."session_id", b."action_id", b."agent_id",
    b."person", b."tool", b."operation", b."decision", b."revision", r."labels", r."rules", f."id"
  FROM "receipts_before" AS b
  JOIN "receipts_found" AS r USING ("workspace_id", "index")
  JOIN "facets_found" AS f ON f."workspace_id" = r."workspace_id" AND f."key" = r."key"
  ORDER BY b."workspace_id", b."index";

INSERT INTO "receipt_spans"
  SELECT r."workspace_id", r."index" / 1024, min(r."at"), max(r."at"), min(r."revision"), max(r."revision")
  FROM "receipts" AS r JOIN "ledger_heads" AS h ON h."workspace_id" = r."workspace_id" AND r."index" < h."size" / 1024 * 1024
  GROUP BY 1, 2;

DROP TABLE "receipts_before";
