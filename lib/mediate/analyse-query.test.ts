import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { analyseQuery } from './analyse-query';
import { impacts, type Effect } from './catalogue';
import { deriveFacts } from './facts';
import { stockCatalogue } from './stock';

const entry = stockCatalogue(nobleSha256).entries.get('database.query');
const factsOf = (query: string) => {
  if (!entry) throw new Error('The stock catalogue has database.query.');
  return deriveFacts(entry, { query });
};

describe('a write that is disguised as a read is a write', () => {
  test.each<[string, string, Effect]>([
    ['a plain deletion', 'DELETE FROM orders', 'destructive'],
    ['a comment before it', '/* report */ UPDATE orders SET total = 0', 'write'],
    ['a comment for a blank', 'DROP/**/TABLE orders', 'destructive'],
    ['a version comment', 'SELECT 1 /*!50000 ; DROP TABLE orders */', 'destructive'],
    ['inside a WITH', 'WITH gone AS (DELETE FROM a RETURNING *) SELECT * FROM gone', 'destructive'],
    ['deep inside', 'SELECT * FROM (WITH x AS (UPDATE a SET b = 1 RETURNING *) SELECT * FROM x) y', 'write'],
    ['behind a read', 'SELECT 1; TRUNCATE orders', 'destructive'],
    ['a line break for a separator', 'SELECT id FROM orders\nSHUTDOWN WITH NOWAIT', 'destructive'],
    ['a table made by a read', 'SELECT * INTO b FROM a', 'write'],
    ['a file of the server', "SELECT 1 INTO/**/OUTFILE '/tmp/x'", 'execute'],
    ['a program of the server', "COPY t TO PROGRAM 'sh'", 'execute'],
    ['code in another language', "DO 'begin end'", 'execute'],
    ['a function with an effect', "SELECT setval('ids', 1)", 'execute'],
    ['a function that nobody knows', 'SELECT tidy_up()', 'execute'],
    ['a stored procedure', 'EXEC tidy_up', 'execute'],
    ['rights', 'GRANT ALL ON orders TO agent', 'grant'],
    ['a new user', "CREATE USER x PASSWORD 'y'", 'grant'],
    ['another dialect', 'REPLACE INTO orders VALUES (1)', 'destructive'],
    ['a merge', 'MERGE INTO a USING b ON true WHEN MATCHED THEN DELETE', 'destructive'],
    ['a lock', 'SELECT * FROM orders FOR UPDATE', 'write'],
    ['full-width letters', 'ＤＥＬＥＴＥ FROM orders', 'destructive'],
  ])('%s', (_, query, effect) => {
    const { effects, effect: strictest, impact, opaque } = factsOf(query);
    expect([strictest, opaque]).toEqual([effect, ['query']]);
    // What the catalogue says stays beside it: a rule against reading binds it too.
    expect(effects).toEqual(expect.arrayContaining(['read', effect]));
    expect(impacts.indexOf(impact)).toBeGreaterThan(impacts.indexOf('low'));
  });

  test('what only reads keeps the effect and impact of the catalogue', () => {
    expect(factsOf("SELECT id FROM changes WHERE op = 'DELETE' AND note LIKE '%drop table%'")).toMatchObject({ effects: ['read'], effect: 'read', impact: 'low', opaque: [] });
  });

  test('what nobody can parse is never taken for a read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const { whole, effect } = analyseQuery(text);
        expect(whole || effect !== 'read').toBe(true);
      }),
    );
  });
});

describe('every table that is read stays visible', () => {
  test.each<[string, string, readonly string[]]>([
    ['behind a WITH of its own name', 'WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets', ['secrets']],
    ['in a schema, beside a WITH of that name', 'WITH secrets AS (SELECT 1) SELECT * FROM secrets, public.secrets', ['secrets']],
    ['beside a WITH that differs in case', 'WITH "Secrets" AS (SELECT 1) SELECT * FROM secrets', ['secrets']],
    ['outside the WITH that hides it', 'SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) x, a', ['a']],
    ['in an earlier part of a WITH', 'WITH x AS (SELECT * FROM y), y AS (SELECT 1) SELECT * FROM x, y', ['y']],
    ['in no table at all', 'WITH x AS (SELECT 1), y AS (SELECT * FROM x) SELECT * FROM y', []],
    ['in a condition', 'SELECT CASE WHEN EXISTS (SELECT 1 FROM b) THEN 1 END FROM a', ['a', 'b']],
    ['in what is written', 'INSERT INTO a SELECT * FROM b', ['a', 'b']],
    ['in what is emptied', 'TRUNCATE TABLE a, crm.b', ['a', 'crm.b']],
    ['in what is dropped', 'DROP TABLE a, b', ['a', 'b']],
    ['in every statement', 'SELECT 1 FROM a; SELECT 2 FROM b', ['a', 'b']],
  ])('%s', (_, query, tables) => {
    expect(analyseQuery(query).tables).toEqual(tables);
  });

  test.each([
    ['DELETE a FROM secrets AS a', 'secrets'],
    ['SELECT * FROM `secrets` LIMIT 1, 2', 'secrets'],
    ['SELECT TOP 1 * FROM [dbo].[secrets]', 'dbo.secrets'],
    ['EXPLAIN ANALYZE SELECT * FROM ONLY secrets', 'secrets'],
    ['TABLE secrets', 'secrets'],
    ["COPY secrets TO '/tmp/x'", 'secrets'],
  ])('also where no parser followed: %s', (query, table) => {
    expect(analyseQuery(query)).toMatchObject({ whole: false });
    expect(analyseQuery(query).tables).toContain(table);
  });
});

test.each([
  ['a comment that ends elsewhere', "SELECT 1 # '\n; DROP TABLE x; -- '"],
  ['a backslash', "SELECT 'a\\'; DROP TABLE x; --'"],
  ['a comment without a blank', 'SELECT 1 --;DROP TABLE x'],
  ['a comment behind an odd blank', 'SELECT 1 --\u00a0;DROP TABLE x'],
  ['a line that ends in a carriage return', 'SELECT 1 -- a\rDROP TABLE x'],
  ['a text in dollars', "SELECT $$ ' $$, '; DROP TABLE x; --'"],
  ['a bracketed name with a quote', "SELECT [it's] FROM notes;DROP TABLE orders --'"],
  ['a bracket that closes in a literal', "SELECT ARRAY['a]', 'b; DROP TABLE x --']"],
  ['two brackets that mean one', "SELECT a[b[1]], '; DROP TABLE x --' FROM t"],
  ['a letter before a literal', "SELECT q'[', '; DROP TABLE x --']' FROM t"],
  ['a name in another alphabet of escapes', 'SELECT U&"d!0061ta" UESCAPE \'!\' FROM t'],
  ['a blank that only some skip', 'SELECT\u20031 FROM t'],
  ['a name with a dot inside', 'SELECT * FROM "crm.people"'],
  ['a quoted name with a blank at its end', 'WITH "a " AS (SELECT 1) SELECT * FROM a'],
  ['a quoted name over two lines', 'WITH "a\n" AS (SELECT 1) SELECT * FROM a'],
  ['a backtick', 'SELECT `a` FROM t'],
])('what servers cut differently is not understood: %s', (_, query) => {
  expect(analyseQuery(query).whole).toBe(false);
});

test.each(["SELECT 'it''s', \"a b\", date '2030-01-01', n[1] -- note\r\nFROM t /* all */", "SELECT 'Zoë' FROM strasse", 'SELECT a->>1 AS b, c || d FROM t WHERE e = $1'])('an ordinary query is understood: %s', (query) => {
  expect(analyseQuery(query)).toMatchObject({ whole: true, effect: 'read' });
});
