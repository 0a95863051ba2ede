import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';

import { analyseQuery } from './analyse-query';

let database: TestDatabase;
let client: pg.Client;

const setUp = `
  CREATE TABLE a (id int, b text); CREATE TABLE b (id int, c text); CREATE TABLE secrets (id int, a text); CREATE SCHEMA crm; CREATE TABLE crm.a (id int); CREATE TABLE "Odd" (id int);
  CREATE SEQUENCE ids; INSERT INTO a VALUES (1, 'x'); INSERT INTO secrets VALUES (1, 'y');
  CREATE FUNCTION tidy() RETURNS int LANGUAGE sql AS 'DELETE FROM a; SELECT 1';
  CREATE FUNCTION crm.lower(text) RETURNS text LANGUAGE sql AS 'DELETE FROM a; SELECT $1';
`;

beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(setUp);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

type Seen = { readonly statements: number; readonly wrote: boolean; readonly tables: readonly string[] };

/** Null: the server refused it. Every table that a statement names is locked, whatever the plan makes of it. */
async function observed(query: string): Promise<Seen | null> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 500');
    const results: unknown = await client.query({ text: query, rowMode: 'array' });
    const { rows } = await client.query<{ wrote: boolean; tables: string[] }>(`
      SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS wrote, coalesce(array_agg(DISTINCT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname), '{}') AS tables
      FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE l.pid = pg_backend_pid() AND n.nspname IN ('public', 'crm') AND c.relkind = 'r'`);
    const [row] = rows;
    return { statements: Array.isArray(results) ? results.length : 1, wrote: row?.wrote ?? true, tables: (row?.tables ?? []).map((table) => table.toLowerCase()) };
  } catch {
    return null;
  } finally {
    await client.query('ROLLBACK');
  }
}

const table = fc.constantFrom('a', 'b', 'secrets', 'public.secrets', 'crm.a', '"Odd"', 'A', '"a"', 'odd');
const expression = fc.constantFrom('1', 'id', "'x'", "'it''s'", "'-- x'", "'/* x'", 'count(*)', 'lower(\'A\')', 'crm.lower(\'A\')', 'tidy()', "nextval('ids')", "set_config('a.b', 'c', false)", '(SELECT max(id) FROM b)', 'id::text', "date '2030-01-01'", 'ARRAY[1,2]', '"id"', 'pg_catalog.lower(\'A\')', 'now()', 'CASE WHEN true THEN 1 END', 'EXISTS (SELECT 1 FROM secrets)', 'current_user');
const queries = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(expression, table).map(([what, from]) => `SELECT ${what} FROM ${from}`),
    fc.tuple(table, table, table).map(([name, inner, from]) => `WITH ${name.replace(/^.*\./, '')} AS (SELECT id FROM ${inner}) SELECT * FROM ${from}`),
    fc.tuple(table, tie('query')).map(([name, inner]) => `WITH ${name.replace(/^.*\./, '')} AS (${inner}) SELECT 1 FROM ${name}`),
    fc.tuple(tie('query'), table).map(([inner, from]) => `SELECT 1 FROM (${inner}) x, ${from}`),
    fc.tuple(tie('query'), fc.constantFrom('UNION', 'UNION ALL', ';', '; --', ' -- x\n', '/* x */', 'LIMIT 1', 'FOR UPDATE', 'ORDER BY 1'), tie('query')).map((parts) => parts.join(' ')),
    fc.constantFrom('DELETE FROM a', "UPDATE a SET b = 'z'", "INSERT INTO a VALUES (2, 'y')", 'TRUNCATE a', 'WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x', 'SELECT * INTO c FROM a', 'TABLE secrets', 'CREATE TABLE c (id int)', 'DO $$ BEGIN DELETE FROM a; END $$', 'EXPLAIN ANALYZE DELETE FROM a', 'SHOW server_version', 'VALUES (1)', 'SELECT * FROM tidy()', 'LOCK TABLE a', 'COMMIT', 'SET search_path TO crm'),
  ),
})).query;
const mutation = fc.tuple(fc.nat(), fc.constantFrom('', '', '', '', "'", '"', '--', '-- ', '/*', '*/', ';', '$$', '#', '[', ']', '\\', '\n', '\r', '(', ')', 'E', "''", '/*!', '\u00a0', '`'));

const runsOf = (normal: number): number => Number(process.env.SERVER_RUNS ?? normal);

describe('against a real server', () => {
  test('what counts as a read writes nothing, is one statement, and touches no table that is not named', async () => {
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(queries, mutation, async (line, [at, insertion]) => {
        const where = at % (line.length + 1);
        const query = line.slice(0, where) + insertion + line.slice(where);
        const analysis = analyseQuery(query);
        if (!analysis.whole) return;
        const seen = await observed(query);
        if (!seen) return;
        ran++;
        expect([query, seen.statements]).toEqual([query, 1]);
        if (analysis.effect === 'read') expect([query, seen.wrote]).toEqual([query, false]);
        expect([query, analysis.tables]).toEqual([query, expect.arrayContaining([...seen.tables])]);
      }),
      // A fixed seed: what another one finds belongs into a run made for finding, not into somebody else's change.
      { numRuns: runsOf(600), seed: Number(process.env.SERVER_SEED ?? 7), endOnFailure: true },
    );
    // The property means nothing when nothing ran.
    expect(ran).toBeGreaterThan(60);
  }, 600_000);

  test.each(['SELECT crm.lower(\'A\')', 'SELECT tidy()', "SELECT nextval('ids')", 'SELECT * FROM tidy()', 'WITH x AS (DELETE FROM a RETURNING *) SELECT * FROM x'])('the server writes for %s, and it is no read', async (query) => {
    expect(analyseQuery(query).effect).not.toBe('read');
    expect(await observed(query)).toMatchObject({ wrote: true });
  });
});
