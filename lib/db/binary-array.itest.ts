import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';

import { binaryArray } from './binary-array';
import { createPool } from './pool';
import { columnsOf, rowsOf, type Columns } from './statements';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, max: 1, onIdleError: () => undefined });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const columns = {
  words: 'text', list: 'text[]', small: 'int4', large: 'int8', yes: 'bool', at: 'timestamptz', raw: 'bytea',
} as const satisfies Columns;

const words = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !text.includes('\0'));
const row = fc.record({
  words: fc.option(words),
  list: fc.option(fc.array(words, { maxLength: 4 })),
  small: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  large: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  yes: fc.option(fc.boolean()),
  at: fc.option(fc.date({ min: new Date('1900-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }).map((date) => date.toISOString())),
  raw: fc.option(fc.uint8Array({ maxLength: 20 })),
});

describe('binary columns', () => {
  test('PostgreSQL reads back exactly the cells that were written, of every type, nulls among them', async () => {
    const text = `SELECT r."words", r."list"::text[], r."small", r."large", r."yes", r."at", r."raw" FROM ${rowsOf(columns, 1, 'r')}`;
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const { rows: read } = await pool.query<Record<string, unknown>>(text, columnsOf(columns, rows));
        const wanted = rows.map(({ at, raw, ...same }) => ({ ...same, at: at === null ? null : new Date(at), raw: raw === null ? null : Buffer.from(raw) }));
        expect(read.map((cells) => ({ ...cells }))).toEqual(wanted);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['text', 7],
    ['text', '\ud800'],
    ['int4', '7'],
    ['int4', 2 ** 40],
    ['int8', true],
    ['bool', 1],
    ['timestamptz', 'yesterday'],
    ['bytea', 'text'],
  ] as const)('a cell that a column of the type %s cannot hold (%j) is refused, never bent', (type, cell) => {
    expect(() => binaryArray(type, [cell])).toThrow();
  });
});
