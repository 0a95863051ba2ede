import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { signCheckpoint, originOf } from '@/lib/ledger/checkpoint';
import { emptyRoot } from '@/lib/ledger/merkle/hash';
import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { randomIds } from '@/lib/server/random-ids';
import { bytesEqual } from '@/lib/shared/encoding';
import { nodeSha256, testKey } from '@/lib/testing/node-crypto';
import { receipts } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { fsck, type Pin } from './fsck';
import type { LogFault } from './fsck-fault';
import { makeWorkspace } from './workspaces';
import { createStores } from './create-stores';

const size = 300;
const key = testKey('checkpoints');
let opened: TestStores;
let pin: Pin;

async function grow(stores: TestStores['stores'], workspace: TestStores['workspace'], count: number): Promise<void> {
  for (let left = count; left > 0; left -= 100) {
    const batch = await receipts(workspace, Math.min(left, 100));
    await stores.transactor.withHead(async (tx) => {
      await stores.ledger.append(tx, batch);
      const head = await stores.ledger.head(tx);
      const checkpoint = { origin: originOf(workspace), size: Number(head.size), root: head.root, extensions: [] };
      await stores.ledger.addCheckpoint(tx, head.size, await signCheckpoint(nodeSha256, checkpoint, key.publicKey, key.signer.sign));
    });
  }
}

beforeAll(async () => {
  opened = await openTestStores();
  await grow(opened.stores, opened.workspace, size);
  pin = await opened.stores.log.head();
});

afterAll(() => opened.close());

/** Damages the database as its owner can, past triggers and constraints, gives the report, and puts everything back. */
async function afterDamage(damage: (client: pg.ClientBase) => Promise<unknown>, pins: readonly Pin[] = []): Promise<LogFault | 'nothing found'> {
  const client = await opened.pool.connect();
  const tables = ['receipts', 'ledger_tiles', 'ledger_heads', 'checkpoints', 'receipt_spans'];
  try {
    await client.query(`SET session_replication_role = replica`);
    for (const table of tables) await client.query(`CREATE TEMP TABLE "kept_${table}" AS TABLE "${table}"`);
    await damage(client);
    const report = await fsck(opened.pool, opened.workspace, pins);
    return report.ok ? 'nothing found' : report.fault;
  } finally {
    for (const table of tables) await client.query(`TRUNCATE "${table}"; INSERT INTO "${table}" SELECT * FROM "kept_${table}"`);
    client.release(true);
  }
}

const run = (sql: string) => (client: pg.ClientBase) => client.query(sql);
const zeros = `decode(repeat('00', 32), 'hex')`;

describe('fsck', () => {
  test('a sound log passes, with what it is', async () => {
    const report = await fsck(opened.pool, opened.workspace, [pin, { size: 0n, root: emptyRoot(nodeSha256) }]);
    expect(report).toMatchObject({ ok: true, size: BigInt(size) });
    expect(report.ok && bytesEqual(report.root, pin.root)).toBe(true);
  });

  test('an empty log passes', async () => {
    const other = randomIds().make('workspace');
    await makeWorkspace(opened.pool, other, 'Empty');
    expect(await fsck(opened.pool, other)).toMatchObject({ ok: true, size: 0n });
  });

  test.each<[string, string, LogFault['what'], number]>([
    ['a changed byte of an envelope', `UPDATE receipts SET envelope = replace(envelope, '"sig":"', '"sig":"A') WHERE index = 7`, 'changed', 7],
    ['a changed leaf hash', `UPDATE receipts SET leaf_hash = ${zeros} WHERE index = 299`, 'changed', 299],
    ['a row deleted from the middle', `DELETE FROM receipts WHERE index = 150`, 'missing', 150],
    ['the first row deleted', `DELETE FROM receipts WHERE index = 0`, 'missing', 0],
    ['the tail deleted', `DELETE FROM receipts WHERE index >= 290`, 'missing', 290],
    ['all rows deleted', `DELETE FROM receipts`, 'missing', 0],
    [
      'the tail deleted and the head set back without its checkpoint',
      `DELETE FROM receipts WHERE index >= 290; UPDATE ledger_heads SET size = 290`,
      'missing',
      290,
    ],
    [
      'two rows swapped',
      [[20, 999], [30, 20], [999, 30]].map(([from, to]) => `UPDATE receipts SET index = ${String(to)} WHERE index = ${String(from)}`).join(';'),
      'changed',
      20,
    ],
    [
      'a row played again at the end',
      `INSERT INTO receipts SELECT workspace_id, 300, id || 'x', kind, at, envelope, leaf_hash, session_id, action_id, agent_id, person, tool,
         operation, decision, revision, labels, rules, facet FROM receipts WHERE index = 5`,
      'changed',
      300,
    ],
    ['a row in front of the first', `SELECT make_receipt_partition(workspace_id, -1) FROM ledger_heads; UPDATE receipts SET index = -1 WHERE index = 299`, 'missing', 0],
    ['a changed column that lists show', `UPDATE receipts SET session_id = 'ses_of_somebody_else' WHERE index = 40`, 'columns', 40],
    ['a changed time', `UPDATE receipts SET at = at - interval '1 day' WHERE index = 41`, 'columns', 41],
    ['a changed kind', `UPDATE receipts SET kind = 'session_closed' WHERE index = 42`, 'columns', 42],
    ['rules that the decision did not rest on', `UPDATE receipts SET rules = '{other}' WHERE index = 43`, 'columns', 43],
    ['a column that its facet does not have', `UPDATE receipts SET person = 'ada@example.com' WHERE index = 44`, 'columns', 44],
    ['a facet that hides receipts', `UPDATE receipts SET facet = 1 WHERE index = 45`, 'columns', 45],
    ['spans of leaves that are not there', `INSERT INTO receipt_spans SELECT workspace_id, 0, now(), now() FROM ledger_heads WHERE size = 300`, 'columns', 300],
    ['a kind that does not exist', `UPDATE receipts SET kind = 'nothing' WHERE index = 42`, 'changed', 42],
    ['a changed tile', `UPDATE ledger_tiles SET root = ${zeros}`, 'tile', 0],
    ['a missing tile', `DELETE FROM ledger_tiles`, 'tile', 0],
    ['a tile of leaves that are not there', `INSERT INTO ledger_tiles SELECT workspace_id, 1, 1, root FROM ledger_tiles`, 'tile', 300],
    ['a head that moved on', `UPDATE ledger_heads SET size = 301`, 'missing', 300],
    ['a head that moved back', `UPDATE ledger_heads SET size = 299; DELETE FROM checkpoints WHERE size = 300`, 'head', 299],
    ['a head with another last leaf', `UPDATE ledger_heads SET last_hash = ${zeros}`, 'head', 300],
    ['a head with another frontier', `UPDATE ledger_heads SET frontier = ${zeros} || substr(frontier, 33)`, 'head', 300],
    ['a head whose time went back', `UPDATE ledger_heads SET logged_at = '2000-01-01'`, 'head', 300],
    ['no head', `DELETE FROM ledger_heads`, 'head', 300],
    ['a checkpoint that was altered', `UPDATE checkpoints SET note = replace(note, E'\\n200\\n', E'\\n201\\n') WHERE size = 200`, 'checkpoint', 200],
    [
      'a checkpoint with the root of another size',
      `UPDATE checkpoints SET note = (SELECT replace(note, E'\\n300\\n', E'\\n200\\n') FROM checkpoints WHERE size = 300) WHERE size = 200`,
      'checkpoint',
      200,
    ],
  ])('finds %s, at its position', async (_damage, sql, what, position) => {
    expect(await afterDamage(run(sql))).toMatchObject({ what, position: BigInt(position) });
  });

  test('finds a row of another log, although all hashes were computed anew', async () => {
    const other = randomIds().make('workspace');
    const stores = createStores(opened.pool, other);
    await makeWorkspace(opened.pool, other, 'Other');
    await grow(stores, other, 1);
    const found = await afterDamage(async (client) => {
      await client.query(
        `UPDATE receipts SET envelope = o.envelope, id = o.id || 'x' FROM receipts AS o WHERE o.workspace_id = $1 AND receipts.workspace_id = $2 AND receipts.index = 9`,
        [other, opened.workspace],
      );
      await rehash(client, 9);
    });
    expect(found).toMatchObject({ what: 'foreign', position: 9n });
  });

  test('finds a receipt that is played again, although all hashes were computed anew', async () => {
    const found = await afterDamage(async (client) => {
      await client.query(`UPDATE receipts SET envelope = o.envelope FROM receipts AS o WHERE o.workspace_id = $1 AND receipts.workspace_id = $1 AND o.index = 3 AND receipts.index = 9`, [
        opened.workspace,
      ]);
      await rehash(client, 9);
    });
    expect(found).toMatchObject({ what: 'replayed', position: 9n });
  });

  test('finds a history that was written anew with everything consistent, against a pin', async () => {
    const rewrite = async (client: pg.ClientBase) => {
      await client.query('DELETE FROM receipts WHERE workspace_id = $1', [opened.workspace]);
      await client.query('DELETE FROM checkpoints; DELETE FROM ledger_tiles');
      await client.query(`UPDATE ledger_heads SET size = 0, frontier = '', last_hash = ${zeros} WHERE workspace_id = $1`, [opened.workspace]);
      await grow(opened.stores, opened.workspace, size);
    };
    expect(await afterDamage(rewrite)).toBe('nothing found');
    expect(await afterDamage(rewrite, [pin])).toMatchObject({ what: 'pin', position: BigInt(size) });
    expect(await afterDamage(() => Promise.resolve(), [{ size: 301n, root: pin.root }])).toMatchObject({ what: 'missing', position: 300n });
  });

  test('leaves a database as it was found, and the pool usable', async () => {
    for (let i = 0; i < 8; i++) expect((await fsck(opened.pool, opened.workspace)).ok).toBe(true);
    expect(opened.pool.idleCount).toBe(opened.pool.totalCount);
  });
});

/** Leaf hashes from `from` on, as somebody who controls the database would write them. */
async function rehash(client: pg.ClientBase, from: number): Promise<void> {
  const { rows } = await client.query<{ index: string; envelope: string; leaf_hash: Buffer }>(
    'SELECT index, envelope, leaf_hash FROM receipts WHERE workspace_id = $1 AND index >= $2 ORDER BY index',
    [opened.workspace, from - 1],
  );
  let before: Uint8Array | undefined = rows[0]?.leaf_hash;
  for (const { index, envelope } of rows.slice(1)) {
    before = leafHashOf(nodeSha256, leafText(envelope, Number(index), previousOf(before)));
    await client.query('UPDATE receipts SET leaf_hash = $3 WHERE workspace_id = $1 AND index = $2', [opened.workspace, index, before]);
  }
}
