import { expect, test } from 'vitest';

import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, emptyFrontier, rootOf } from '@/lib/ledger/merkle/frontier';
import { inclusionProof } from '@/lib/ledger/merkle/prove';
import { verifyInclusion } from '@/lib/ledger/merkle/verify-proof';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';
import type { Transactor } from '@/lib/ports/transaction';
import type { WorkspaceId } from '@/lib/shared/ids';
import { nodeSha256 } from '@/lib/testing/node-crypto';
import { aReceipt, at, later, receipts } from '@/lib/testing/row-builders';

export type LedgerFixture = {
  readonly workspace: WorkspaceId;
  readonly transactor: Transactor;
  readonly ledger: LedgerStore;
  readonly log: LedgerReader;
};

/** What a log promises, whatever stores it. Each test gets an empty one. */
export function ledgerConformance(open: () => LedgerFixture): void {
  const append = (batch: readonly SignedReceipt[]) => open().transactor.withHead((tx) => open().ledger.append(tx, batch));

  test('an empty log has size 0 and the root of the empty tree', async () => {
    const { log } = open();
    expect(await log.head()).toMatchObject({ size: 0n, epoch: 0n, root: rootOf(nodeSha256, emptyFrontier) });
    expect(await log.range(0n, 10n, 10)).toEqual([]);
    expect(await log.latestCheckpoint()).toBeUndefined();
  });

  test('appending gives indexes without gaps, across batches and within one transaction', async () => {
    const { workspace, transactor, ledger } = open();
    expect(await append(await receipts(workspace, 3))).toEqual([0n, 1n, 2n]);
    const [a, b] = [await receipts(workspace, 2), await receipts(workspace, 1)];
    const indexes = await transactor.withHead(async (tx) => [...(await ledger.append(tx, a)), ...(await ledger.append(tx, b))]);
    expect(indexes).toEqual([3n, 4n, 5n]);
    expect(await append([])).toEqual([]);
  });

  test('each leaf names the one before, and root and stored hashes are those of the leaves, over tiles too', async () => {
    const { workspace, log } = open();
    const all = await receipts(workspace, 600);
    for (let i = 0; i < all.length; i += 100) await append(all.slice(i, i + 100));
    let frontier = emptyFrontier;
    let before: Uint8Array | undefined;
    for (const [index, { envelope }] of all.entries()) {
      before = leafHashOf(nodeSha256, leafText(envelope, index, previousOf(before)));
      frontier = appendLeaf(nodeSha256, frontier, before);
    }
    const { size, root } = await log.head();
    expect(size).toBe(600n);
    expect(Buffer.from(root)).toEqual(Buffer.from(rootOf(nodeSha256, frontier)));
    for (const index of [0, 255, 256, 511, 599]) {
      const proof = await inclusionProof(nodeSha256, log.hashes, index, 600);
      const row = await log.byIndex(BigInt(index));
      expect(row?.envelope).toBe(all[index]?.envelope);
      expect(verifyInclusion(nodeSha256, index, 600, row?.leaf_hash ?? new Uint8Array(), proof, root)).toBe(true);
    }
  });

  test('a transaction sees the head it will leave, and one that throws leaves nothing', async () => {
    const { workspace, transactor, ledger, log } = open();
    const batch = await receipts(workspace, 2);
    const before = await log.head();
    await expect(
      transactor.withHead(async (tx) => {
        await ledger.append(tx, batch);
        expect((await ledger.head(tx)).size).toBe(2n);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await log.head()).toEqual(before);
    expect(await append(batch)).toEqual([0n, 1n]);
  });

  test('the same receipt is never in the log twice', async () => {
    const { workspace, log } = open();
    const [receipt] = await receipts(workspace, 1);
    if (!receipt) throw new Error('no receipt');
    await append([receipt]);
    await expect(append([receipt])).rejects.toThrow();
    expect((await log.head()).size).toBe(1n);
  });

  test('a receipt comes back by id as it was appended', async () => {
    const { workspace, log } = open();
    const receipt = await aReceipt(workspace, {
      agent: 'clerk', person: 'ada@example.com', tool: 'mail', operation: 'send', decision: 'DENY', revision: 4, labels: ['pii', 'a "b", \\ {c}'], rules: ['no-mail', 'cap'],
    });
    await append([receipt]);
    expect(await log.byId(receipt.id)).toMatchObject({ ...receipt, index: 0n });
    expect(await log.byIndex(1n)).toBeUndefined();
  });

  test('ranges are read in order and go on where the last one ended', async () => {
    const { workspace, log } = open();
    const all = await receipts(workspace, 25);
    await append(all);
    const read: string[] = [];
    for (let from = 5n; ; ) {
      const rows = await log.range(from, 20n, 4);
      const last = rows.at(-1);
      if (!last) break;
      read.push(...rows.map((row) => row.id));
      from = last.index + 1n;
    }
    expect(read).toEqual(all.slice(5, 20).map((receipt) => receipt.id));
  });

  test('a search finds exactly what every filter asks for, newest first, page by page', async () => {
    const { workspace, log } = open();
    const shown = { agent: 'clerk', tool: 'mail', operation: 'send', decision: 'DENY', revision: 2, person: 'ada@example.com', labels: ['pii'], rules: ['cap', 'no-mail'] };
    const batch: SignedReceipt[] = [];
    for (let i = 0; i < 6; i++) batch.push(await aReceipt(workspace, i % 2 === 0 ? { ...shown, at: `2026-03-01T10:00:0${String(i)}.000Z` } : {}));
    await append(batch);
    const [zero, , two, , four] = batch;
    const find = async (filters: Parameters<LedgerReader['search']>[0]) => (await log.search(filters, { limit: 10 })).rows.map((row) => row.id);
    for (const filters of [
      { agent: 'clerk' }, { tool: 'mail' }, { decision: 'DENY' }, { revision: 2 }, { person: 'ada@example.com' }, { label: 'pii' }, { rule: 'no-mail' },
      { text: 'SEND', to: later }, { tool: 'mail', decision: 'DENY', kind: 'message_recorded' as const },
    ]) {
      expect(await find(filters), JSON.stringify(filters)).toEqual([four?.id, two?.id, zero?.id]);
    }
    expect(await find({ tool: 'mail', from: '2026-03-01T10:00:02.000Z', to: '2026-03-01T10:00:04.000Z' })).toEqual([two?.id]);
    expect(await find({ tool: 'mail', decision: 'ALLOW' })).toEqual([]);
    expect(await find({ text: 's%d', to: later })).toEqual([]);
    expect(await find({ text: 'send', to: '2026-04-02T00:00:00.000Z' }), 'a text is looked for in 31 days').toEqual([]);
    expect(await find({ ...(two?.session ? { session: two.session } : {}) })).toEqual([two?.id]);
    for (const filters of [{ tool: 'mail' }, { tool: 'mail', from: at }, { tool: 'mail', to: later }]) {
      const first = await log.search(filters, { limit: 2 });
      expect(first.rows.map((row) => row.id)).toEqual([four?.id, two?.id]);
      const second = await log.search(filters, { limit: 2, ...(first.next === null ? {} : { before: first.next }) });
      expect(second).toMatchObject({ next: null, rows: [{ id: zero?.id }] });
    }
  });

  test('what a search would find is counted, and beyond the bound said to be an estimate', async () => {
    const { workspace, log } = open();
    const batch = await Promise.all(Array.from({ length: 12 }, (_, i) => aReceipt(workspace, i < 5 ? { tool: 'mail', rules: ['cap'] } : {})));
    await append(batch);
    expect(await log.count({})).toEqual({ count: 12, exact: true });
    expect(await log.count({ rule: 'cap' }, 5)).toEqual({ count: 5, exact: true });
    expect(await log.count({ rule: 'other' })).toEqual({ count: 0, exact: true });
    const more = await log.count({ tool: 'mail' }, 4);
    expect(more.exact).toBe(false);
    expect(more.count).toBeGreaterThanOrEqual(4);
  });

  test('the first checkpoint of a size stays, and the smallest that covers a size is found', async () => {
    const { workspace, transactor, ledger, log } = open();
    for (const note of ['two', 'four']) {
      const batch = await receipts(workspace, 2);
      await transactor.withHead(async (tx) => {
        await ledger.append(tx, batch);
        const { size } = await ledger.head(tx);
        await ledger.addCheckpoint(tx, size, note);
        await ledger.addCheckpoint(tx, size, 'again');
      });
    }
    expect(await log.latestCheckpoint()).toMatchObject({ size: 4n, note: 'four' });
    expect(await log.checkpointCovering(1n)).toMatchObject({ size: 2n, note: 'two' });
    expect(await log.checkpointCovering(3n)).toMatchObject({ size: 4n });
    expect(await log.checkpointCovering(5n)).toBeUndefined();
    expect((await log.checkpoints(10)).map(({ size }) => size)).toEqual([4n, 2n]);
    expect((await log.checkpoints(10, 4n)).map(({ size }) => size)).toEqual([2n]);
  });
}
