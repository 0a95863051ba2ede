import type pg from 'pg';

import { big } from './columns';
import { fault, type LogFault } from './fsck-fault';
import { spanLeaves } from './receipt-spans';

const values = ['kind', 'agent_id', 'person', 'tool', 'operation', 'decision', 'labels', 'rules'];
const row = (alias: string): string => `(${values.map((name) => `${alias}."${name}"`).join(', ')})`;

const strayFacet = `SELECT r."index" FROM "receipts" AS r LEFT JOIN "receipt_facets" AS f ON f."workspace_id" = r."workspace_id" AND f."id" = r."facet"
  WHERE r."workspace_id" = $1 AND r."index" >= $2 AND r."index" < $3 AND ${row('r')} IS DISTINCT FROM ${row('f')} ORDER BY r."index" LIMIT 1`;

const strayReceipts = `SELECT coalesce(s."nr", f."nr") AS "nr" FROM (
    SELECT "index" / ${String(spanLeaves)} AS "nr", min("at") AS "from_at", max("at") AS "to_at", min("revision") AS "from_revision", max("revision") AS "to_revision"
    FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2 AND "index" < $3 GROUP BY 1) AS f
  FULL JOIN (SELECT * FROM "receipt_spans" WHERE "workspace_id" = $1 AND "nr" >= $2 / ${String(spanLeaves)} AND "nr" < $3 / ${String(spanLeaves)}) AS s ON s."nr" = f."nr"
  WHERE (s."from_at", s."to_at", s."from_revision", s."to_revision") IS DISTINCT FROM (f."from_at", f."to_at", f."from_revision", f."to_revision")
  ORDER BY 1 LIMIT 1`;

/**
 * A receipt is in the log and yet found by no filter when its facet says something else than its columns, or its span another
 * time. Compares both for leaves `from` to `to` (excluded): facets one by one, spans where one ends among them.
 */
export async function checkFindable(client: pg.ClientBase, workspace: string, from: number, to: number): Promise<LogFault | undefined> {
  const ask = async (sql: string, first: number, end: number) => (await client.query<Record<string, unknown>>(sql, [workspace, first, end])).rows[0];
  const receipt = await ask(strayFacet, from, to);
  if (receipt) return fault('columns', big(receipt['index']), 'The facet by which the receipt is found says something else than its columns.');
  const start = Math.floor(from / spanLeaves) * spanLeaves;
  const span = await ask(strayReceipts, start, Math.floor(to / spanLeaves) * spanLeaves);
  if (span) return fault('columns', big(span['nr']) * BigInt(spanLeaves), 'The span by which receipts are found states other times or revisions than they do.');
  return undefined;
}

/** Spans that the log has no leaves for would send a search past its end. */
export async function checkExtraSpans(client: pg.ClientBase, workspace: string, size: number): Promise<LogFault | undefined> {
  const sql = `SELECT 1 FROM "receipt_spans" WHERE "workspace_id" = $1 AND ("nr" < 0 OR "nr" >= $2) LIMIT 1`;
  const found = await client.query(sql, [workspace, Math.floor(size / spanLeaves)]);
  return found.rows.length > 0 ? fault('columns', size, 'A span of receipts covers leaves that are not there.') : undefined;
}
