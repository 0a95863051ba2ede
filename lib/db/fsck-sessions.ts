import type pg from 'pg';

import { entryHash } from '@/lib/context/entry-hash';
import { erasedText } from '@/lib/ports/erasure-store';
import type { Digest } from '@/lib/shared/ids';

import { int, text, UnreadableRow } from './columns';
import { readEntryRow } from './entry-row';
import { sha256 } from './sha256';

const batchRows = 1000;

type Chain = { readonly session: string; readonly hash: Digest; readonly seq: number };

/**
 * Every session's steps are one chain without a gap that ends in the row's head; an erased step keeps its hash, and the one after it
 * names that. Gives the first that is wrong, in the order of sessions' ids.
 */
export async function checkChains(client: pg.ClientBase, workspace: string): Promise<string | undefined> {
  let last: Chain | undefined;
  for (let after: readonly [string, number] = ['', 0]; ; ) {
    const sql = `SELECT "session_id", "seq", "hash", "body" FROM "context_entries" WHERE "workspace_id" = $1 AND ("session_id", "seq") > ($2, $3)
      ORDER BY "session_id", "seq" LIMIT ${String(batchRows)}`;
    const { rows } = await client.query<Record<string, unknown>>(sql, [workspace, ...after]);
    for (const row of rows) {
      const session = text(row['session_id']);
      const before: Chain | undefined = last?.session === session ? last : undefined;
      const wrong = stepFault(row, before);
      if (wrong !== undefined) return `Step ${String(row['seq'])} of ${session} ${wrong}.`;
      last = { session, hash: text(row['hash']) as Digest, seq: int(row['seq']) };
      after = [session, last.seq];
    }
    if (rows.length < batchRows) break;
  }
  return await headFault(client, workspace);
}

function stepFault(row: Record<string, unknown>, before: Chain | undefined): string | undefined {
  if (int(row['seq']) !== (before?.seq ?? 0) + 1) return `follows step ${String(before?.seq ?? 0)}`;
  if (row['body'] === erasedText) return undefined;
  try {
    const { entry, hash, seq } = readEntryRow(row);
    return entryHash(sha256, before?.hash ?? null, entry, seq) === hash ? undefined : 'is not what its hash says';
  } catch (error) {
    if (error instanceof UnreadableRow || error instanceof SyntaxError) return `cannot be read: ${error.message}`;
    throw error;
  }
}

async function headFault(client: pg.ClientBase, workspace: string): Promise<string | undefined> {
  const sql = `SELECT s."id" FROM "sessions" AS s LEFT JOIN LATERAL (
      SELECT e."seq", e."hash" FROM "context_entries" AS e WHERE e."workspace_id" = $1 AND e."session_id" = s."id" ORDER BY e."seq" DESC LIMIT 1) AS e ON true
    WHERE s."workspace_id" = $1 AND (e."hash" IS DISTINCT FROM s."head" OR e."seq" IS DISTINCT FROM s."seq") ORDER BY s."id" LIMIT 1`;
  const { rows } = await client.query<Record<string, unknown>>(sql, [workspace]);
  return rows[0] && `The row of ${text(rows[0]['id'])} has another head than its last step.`;
}
