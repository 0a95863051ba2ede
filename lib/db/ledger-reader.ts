import type pg from 'pg';

import { rootOf } from '@/lib/ledger/merkle/frontier';
import type { CheckpointRow, LedgerReader } from '@/lib/ports/ledger-reader';

import { big, text, time, type Row } from './columns';
import { countReceipts } from './count-receipts';
import { postgresHashSource } from './hash-source';
import { readHead } from './head-row';
import { prismaOf } from './prisma';
import { readReceiptRow, receiptColumns } from './receipt-row';
import { searchReceipts } from './search-receipts';
import { sha256 } from './sha256';
import { columnList, rows, statement } from './statements';

const select = `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE "workspace_id" = $1`;
const receiptById = statement('receipt_by_id', `${select} AND "id" = $2`);
const receiptByIndex = statement('receipt_by_index', `${select} AND "index" = $2`);
const receiptsInRange = statement('receipts_in_range', `${select} AND "index" >= $2 AND "index" < $3 ORDER BY "index" LIMIT $4`);
const leavesInRange = statement(
  'leaves_in_range',
  `SELECT "index", "envelope" FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2 AND "index" < $3 ORDER BY "index" LIMIT $4`,
);
const readLogHead = statement(
  'read_log_head',
  `SELECT "epoch", "size", "last_hash", "frontier", "logged_at" FROM "ledger_heads" WHERE "workspace_id" = $1`,
);
const checkpointCovering = statement(
  'checkpoint_covering',
  `SELECT "size", "note", "created_at" FROM "checkpoints" WHERE "workspace_id" = $1 AND "size" >= $2 ORDER BY "size" LIMIT 1`,
);
const latestCheckpoint = statement(
  'latest_checkpoint',
  `SELECT "size", "note", "created_at" FROM "checkpoints" WHERE "workspace_id" = $1 ORDER BY "size" DESC LIMIT 1`,
);

export const postgresLedgerReader = (pool: pg.Pool, workspace: string): LedgerReader => ({
  byId: async (id) => (await rows(pool, receiptById, [workspace, id])).map(readReceiptRow)[0],
  byIndex: async (index) => (await rows(pool, receiptByIndex, [workspace, index])).map(readReceiptRow)[0],
  range: async (from, to, limit) => (await rows(pool, receiptsInRange, [workspace, from, to, limit])).map(readReceiptRow),
  leaves: async (from, to, limit) => (await rows(pool, leavesInRange, [workspace, from, to, limit])).map((row) => ({ index: big(row['index']), envelope: text(row['envelope']) })),
  search: (filters, page) => searchReceipts(pool, workspace, filters, page),
  count: (filters, upTo) => countReceipts(pool, workspace, filters, upTo),
  head: async () => {
    const [row] = await rows(pool, readLogHead, [workspace]);
    if (!row) throw new Error(`The database has no workspace ${workspace}.`);
    const { frontier, epoch, loggedAt } = readHead(row);
    return { size: BigInt(frontier.size), root: rootOf(sha256, frontier), epoch, logged_at: loggedAt };
  },
  latestCheckpoint: async () => (await rows(pool, latestCheckpoint, [workspace])).map(readCheckpoint)[0],
  checkpointCovering: async (size) => (await rows(pool, checkpointCovering, [workspace, size])).map(readCheckpoint)[0],
  checkpoints: async (limit, before) => {
    const prisma = await prismaOf(pool);
    const found = await prisma.checkpoint.findMany({
      where: { workspaceId: workspace, ...(before === undefined ? {} : { size: { lt: before } }) },
      orderBy: { size: 'desc' },
      take: limit,
    });
    return found.map(({ size, note, createdAt }) => readCheckpoint({ size, note, created_at: createdAt }));
  },
  hashes: postgresHashSource(pool, workspace),
});

const readCheckpoint = (row: Row): CheckpointRow => ({
  size: big(row['size']),
  note: text(row['note']),
  created_at: time(row['created_at']),
});
