import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { frontierLength } from '@/lib/ledger/merkle/frontier';
import type { WorkspaceId } from '@/lib/shared/ids';
import { receipts } from '@/lib/testing/row-builders';
import { schemaDrift } from '@/lib/testing/schema-drift';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { Stores } from './create-stores';
import { partitionLeaves } from './receipt-partitions';
import { openWorkspace } from './workspaces';

let opened: TestStores;
let workspace: WorkspaceId;
let stores: Stores;

beforeAll(async () => {
  opened = await openTestStores();
});

afterAll(() => opened.close());

beforeEach(async () => {
  ({ workspace, stores } = await opened.newWorkspace());
});

/** A log that is said to have so many leaves: its first ones are not there, which appending does not look at. */
const standAt = (size: number) =>
  opened.pool.query(`UPDATE "ledger_heads" SET "size" = $2, "frontier" = $3 WHERE "workspace_id" = $1`, [workspace, size, Buffer.alloc(32 * frontierLength(size))]);

const append = async (count: number) => {
  const batch = await receipts(workspace, count);
  return await stores.transactor.withHead((tx) => stores.ledger.append(tx, batch));
};

const partitions = async (): Promise<readonly string[]> => {
  const { rows } = await opened.pool.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS "name" FROM pg_inherits WHERE inhparent = '"receipts"'::regclass AND inhrelid::regclass::text LIKE $1 ORDER BY 1`,
    [`receipts_${workspace}_%`],
  );
  return rows.map(({ name }) => name.slice(`receipts_${workspace}_`.length));
};

async function holding<T>(sql: string, work: () => Promise<T>): Promise<T> {
  const client = await opened.pool.connect();
  try {
    await client.query(`BEGIN; ${sql}`);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('partitions', () => {
  test('a new workspace has its first one', async () => {
    expect(await partitions()).toEqual(['0']);
  });

  test('a batch that crosses a boundary lies on both sides of it, and is read as one log', async () => {
    await standAt(partitionLeaves - 3);
    const indexes = await append(6);
    expect(await partitions()).toEqual(['0', '1']);
    const { rows } = await opened.pool.query<{ count: number }>(`SELECT count(*)::int4 AS "count" FROM "receipts_${workspace}_1"`);
    expect(rows[0]?.count).toBe(3);
    expect((await stores.log.range(indexes[0] ?? 0n, 2n ** 40n, 10)).map(({ index }) => index)).toEqual(indexes);
    expect((await stores.log.search({}, { limit: 4 })).rows.map(({ index }) => index)).toEqual(indexes.toReversed().slice(0, 4));
  });

  test('the next one is made in the last quarter, long before it is needed', async () => {
    await standAt(partitionLeaves * 0.75 - 1);
    await append(2);
    expect(await partitions()).toEqual(['0', '1']);
  });

  test('while somebody holds the table, appending goes on, and it is tried again later', async () => {
    await standAt(partitionLeaves * 0.75 - 1);
    const indexes = await holding('LOCK TABLE "receipts" IN SHARE UPDATE EXCLUSIVE MODE', () => append(2));
    expect(indexes).toHaveLength(2);
    expect(await partitions()).toEqual(['0']);
    await standAt(partitionLeaves * 0.75 + 2 ** 14 - 1);
    await append(2);
    expect(await partitions()).toEqual(['0', '1']);
  });

  test('making one waits for no reader and stops none', async () => {
    await standAt(partitionLeaves - 1);
    await holding('SELECT count(*) FROM "receipts"', async () => {
      expect(await append(2)).toHaveLength(2);
    });
  });

  test('several that make the same one make it once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => opened.pool.query('SELECT make_receipt_partition($1, 7)', [workspace])));
    expect(await partitions()).toEqual(['0', '7']);
  });

  test('each is written once, also when it is named itself', async () => {
    await standAt(partitionLeaves - 1);
    await append(2);
    for (const table of [`receipts_${workspace}_0`, `receipts_${workspace}_1`]) {
      for (const sql of [`UPDATE "${table}" SET "kind" = 'x'`, `DELETE FROM "${table}"`, `TRUNCATE "${table}"`]) {
        await expect(opened.pool.query(sql), sql).rejects.toMatchObject({ code: 'LG001' });
      }
    }
  });

  test('an id is there once in each, and a receipt is found by it wherever it lies', async () => {
    await standAt(partitionLeaves - 1);
    const [first, second] = await receipts(workspace, 2);
    if (!first || !second) throw new Error('no receipts');
    await stores.transactor.withHead((tx) => stores.ledger.append(tx, [first, second]));
    expect((await stores.log.byId(second.id))?.index).toBe(BigInt(partitionLeaves));
    await expect(stores.transactor.withHead((tx) => stores.ledger.append(tx, [second]))).rejects.toMatchObject({ code: '23505' });
  });

  test('they are no drift from the schema that the client expects', async () => {
    expect(await schemaDrift(opened.url)).toBeUndefined();
  });

  test('a start on a log near a boundary makes the next one', async () => {
    const other = await openTestStores();
    const pool: pg.Pool = other.pool;
    await pool.query(`UPDATE "ledger_heads" SET "size" = $1, "frontier" = $2`, [partitionLeaves - 1, Buffer.alloc(32 * frontierLength(partitionLeaves - 1))]);
    await openWorkspace(pool, other.workspace, 'again');
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*)::int4 AS "count" FROM pg_inherits WHERE inhparent = '"receipts"'::regclass`);
    expect(rows[0]?.count).toBe(2);
    await other.close();
  });
});
