import { leafHashOf, leafText, previousOf } from '@/lib/ledger/leaf';
import { appendLeaf, rootOf } from '@/lib/ledger/merkle/frontier';
import type { LedgerStore, SignedReceipt } from '@/lib/ports/ledger-store';

import { transactionOf } from './open-transaction';
import { insertRows } from './insert-rows';
import { facetOf, type Facet } from './receipt-facet';
import { makePartitions, partitionsFor } from './receipt-partitions';
import { receiptColumns } from './receipt-row';
import { writeSpans } from './receipt-spans';
import { sha256 } from './sha256';
import { insertStatement, statement, touched, type Columns, type Values } from './statements';
import { writeFacets } from './write-facets';

const writtenColumns = { ...receiptColumns, facet: 'int8' } as const satisfies Columns;
const insertReceipts = insertStatement('receipts', writtenColumns);

const tileColumns = { level: 'int4', index: 'int8', root: 'bytea' } as const satisfies Columns;
const insertTiles = insertStatement('ledger_tiles', tileColumns);

const insertCheckpoint = statement(
  'insert_checkpoint',
  // A batch that appended nothing states the same head again: the first signed note stays.
  `INSERT INTO "checkpoints" ("workspace_id", "size", "note") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
);

/**
 * INVARIANT: leaves are hashed and placed only under the head lock, from the head that was read with it. Rows, tiles and
 * head commit together, so whatever size a reader sees, every leaf and tile below it is there.
 */
export const postgresLedgerStore: LedgerStore = {
  append: async (tx, receipts) => {
    if (receipts.length === 0) return [];
    const { client, workspace, head } = transactionOf(tx);
    const inserts: Values<keyof typeof writtenColumns>[] = [];
    const facets = new Map<string, Facet>();
    const tiles: Values<keyof typeof tileColumns>[] = [];
    let { frontier, lastHash } = head;
    for (const receipt of receipts) {
      const index = frontier.size;
      const leaf = leafText(receipt.envelope, index, previousOf(index === 0 ? undefined : lastHash));
      lastHash = leafHashOf(sha256, leaf);
      frontier = appendLeaf(sha256, frontier, lastHash, (level, at, root) => {
        tiles.push({ level, index: String(at), root: root });
      });
      const facet = facetOf(receipt);
      facets.set(String(facet.id), facet);
      inserts.push({ ...valuesOf(receipt, index, lastHash), facet: facet.id });
    }
    const first = head.frontier.size;
    // The head moves before the statements run: should one fail, the transaction is lost with it.
    Object.assign(head, { frontier, lastHash, changed: true });
    // In this order on one connection: the partition before its rows, the spans after them.
    await Promise.all([
      makePartitions(client, workspace, partitionsFor(first, frontier.size)),
      writeFacets(client, workspace, head, facets),
      insertRows(client, insertReceipts, workspace, inserts),
      insertRows(client, insertTiles, workspace, tiles),
      writeSpans(client, workspace, first, frontier.size),
    ]);
    return receipts.map((_, i) => BigInt(first + i));
  },
  head: async (tx) => {
    const { frontier } = transactionOf(tx).head;
    return { size: BigInt(frontier.size), root: rootOf(sha256, frontier) };
  },
  addCheckpoint: async (tx, size, note) => {
    const { client, workspace } = transactionOf(tx);
    await touched(client, insertCheckpoint, [workspace, size, note]);
  },
};

function valuesOf(receipt: SignedReceipt, index: number, leafHash: Uint8Array): Values<keyof typeof receiptColumns> {
  return {
    index: String(index),
    id: receipt.id,
    kind: receipt.kind,
    at: receipt.at,
    envelope: receipt.envelope,
    leaf_hash: leafHash,
    session_id: receipt.session ?? null,
    action_id: receipt.action ?? null,
    agent_id: receipt.agent ?? null,
    person: receipt.person ?? null,
    tool: receipt.tool ?? null,
    operation: receipt.operation ?? null,
    decision: receipt.decision ?? null,
    revision: receipt.revision ?? null,
    labels: receipt.labels ?? [],
    rules: receipt.rules ?? [],
  };
}
