import type pg from 'pg';

import { erasedText } from '@/lib/ports/erasure-store';
import type { HistoryEntry, SessionHistory } from '@/lib/ports/session-history';

import { int, type Row } from '../columns';
import { readEntryRow } from '../entry-row';
import { readReceiptRow, receiptColumns } from '../receipt-row';
import { columnList, rows, statement } from '../statements';

const receipts = `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE "workspace_id" = $1 AND "session_id" = $2`;
const receiptsBefore = statement('session_receipts_before', `${receipts} AND "index" < $3 ORDER BY "index" DESC LIMIT $4`);
const receiptsFrom = statement('session_receipts_from', `${receipts} AND "index" >= $3 ORDER BY "index" LIMIT $4`);
const entries = `SELECT "seq", "hash", "body" FROM "context_entries" WHERE "workspace_id" = $1 AND "session_id" = $2`;
const entriesBefore = statement('session_entries_before', `${entries} AND "seq" < $3 ORDER BY "seq" DESC LIMIT $4`);
const entriesFrom = statement('session_entries_from', `${entries} AND "seq" >= $3 ORDER BY "seq" LIMIT $4`);

export const sessionHistory = (pool: pg.Pool, workspace: string): SessionHistory => ({
  receiptsBefore: async (session, index, limit) => (await rows(pool, receiptsBefore, [workspace, session, index, limit])).map(readReceiptRow),
  receiptsFrom: async (session, index, limit) => (await rows(pool, receiptsFrom, [workspace, session, index, limit])).map(readReceiptRow),
  entriesBefore: async (session, seq, limit) => (await rows(pool, entriesBefore, [workspace, session, seq, limit])).map(readEntry),
  entriesFrom: async (session, seq, limit) => (await rows(pool, entriesFrom, [workspace, session, seq, limit])).map(readEntry),
});

const readEntry = (row: Row): HistoryEntry => ({ seq: int(row['seq']), entry: row['body'] === erasedText ? null : readEntryRow(row).entry });
