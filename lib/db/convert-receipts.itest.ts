import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { wholeStory } from '@/lib/testing/ledger-story';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { aReceipt } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { createPool } from './pool';
import { createStores } from './create-stores';
import { fsck } from './fsck';
import { migrate } from './migrate';

const migrations = path.resolve(import.meta.dirname, '../../prisma/migrations');
const firstWithPartitions = '20261130000008';
const kept = ['workspaces', 'ledger_heads', 'ledger_tiles', 'checkpoints'] as const;
const before = `"workspace_id", "index", "id", "kind", "at", "envelope", "leaf_hash", "session_id", "action_id", "agent_id", "person", "tool", "operation",
  "decision", "revision", "labels"`;

let filled: TestStores;
let old: TestDatabase;
let folder: string;

/** A database as the version before made and filled it. */
beforeAll(async () => {
  filled = await openTestStores();
  const { workspace, stores } = filled;
  for (let at = 0; at < 3000; at += 500) {
    const batch = await Promise.all(
      Array.from({ length: 500 }, (_, n) => aReceipt(workspace, { tool: `tool-${String(n % 7)}`, labels: n % 3 === 0 ? ['pii', 'a "b"'] : [], at: new Date(Date.UTC(2026, 0, 1, 0, 0, at + n)).toISOString() })),
    );
    await stores.transactor.withHead((tx) => stores.ledger.append(tx, batch));
  }
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-convert-'));
  for (const name of fs.readdirSync(migrations)) if (name < firstWithPartitions) fs.cpSync(path.join(migrations, name), path.join(folder, name), { recursive: true });
  old = await createEmptyDatabase();
  await migrate(old.url, folder);
  const client = new pg.Client({ connectionString: old.url });
  await client.connect();
  for (const table of kept) await copy(client, table, '*');
  await copy(client, 'receipts', before);
  await client.end();
});

afterAll(async () => {
  await filled.close();
  await old.drop();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function copy(to: pg.Client, table: string, columns: string): Promise<void> {
  const { rows, fields } = await filled.pool.query<Record<string, unknown>>(`SELECT ${columns} FROM "${table}"`);
  const names = fields.map(({ name }) => `"${name}"`).join(', ');
  for (const row of rows) {
    await to.query({ name: table, text: `INSERT INTO "${table}" (${names}) VALUES (${fields.map((_, at) => `$${String(at + 1)}`).join(', ')})`, values: fields.map(({ name }) => row[name]) });
  }
}

describe('converting an installation to partitions', () => {
  test('keeps every receipt as it was, finds each as before, and leaves a sound log that grows on', async () => {
    await migrate(old.url, migrations);
    const pool = createPool({ url: old.url, max: 3, onIdleError: () => undefined });
    const stores = createStores(pool, filled.workspace);
    const all = `SELECT ${before} FROM "receipts" ORDER BY "index"`;
    expect((await pool.query<Record<string, unknown>>(all)).rows).toEqual((await filled.pool.query<Record<string, unknown>>(all)).rows);
    expect(await fsck(pool, filled.workspace)).toMatchObject({ ok: true, size: 3000n });
    for (const filters of [{ tool: 'tool-3' }, { label: 'pii' }, { from: '2026-01-01T00:10:00.000Z', to: '2026-01-01T00:11:00.000Z' }]) {
      const found = await stores.log.search(filters, { limit: 100 });
      expect(found, JSON.stringify(filters)).toEqual(await filled.stores.log.search(filters, { limit: 100 }));
      expect(found.rows.length).toBeGreaterThan(0);
    }
    const receipt = await aReceipt(filled.workspace, { tool: 'tool-3' });
    expect(await stores.transactor.withHead((tx) => stores.ledger.append(tx, [receipt]))).toEqual([3000n]);
    expect((await stores.log.search({ tool: 'tool-3' }, { limit: 1 })).rows[0]?.id).toBe(receipt.id);
    expect(await fsck(pool, filled.workspace)).toMatchObject({ ok: true, size: 3001n });
    await pool.end();
  });

  test('reads the rules of decisions from their envelopes', async () => {
    const ledger = await wholeStory();
    const decided = ledger.leaves.find(({ envelope }) => Buffer.from(envelope.payload, 'base64').includes('"determining":[{'));
    if (!decided) throw new Error('The story decides something.');
    const empty = await createEmptyDatabase();
    await migrate(empty.url, folder);
    const client = new pg.Client({ connectionString: empty.url });
    await client.connect();
    await client.query(`INSERT INTO "workspaces" ("id", "name") VALUES ('ws', 'w'); INSERT INTO "ledger_heads" ("workspace_id", "size", "last_hash", "frontier", "logged_at") VALUES ('ws', 2, '', '', now())`);
    for (const [index, envelope] of [JSON.stringify(decided.envelope), 'unreadable'].entries()) {
      await client.query(`INSERT INTO "receipts" ("workspace_id", "index", "id", "kind", "at", "envelope", "leaf_hash") VALUES ('ws', $1, $2, 'action_decided', now(), $3, '')`, [index, `rcp_${String(index)}`, envelope]);
    }
    await migrate(empty.url, migrations);
    const { rows } = await client.query<{ rules: string[] }>('SELECT "rules" FROM "receipts" ORDER BY "index"');
    expect(rows.map(({ rules }) => rules)).toEqual([['baseline'], []]);
    await client.end();
    await empty.drop();
  });
});
