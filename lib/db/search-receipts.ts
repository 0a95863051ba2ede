import type pg from 'pg';
import { z } from 'zod';

import type { ReceiptCount, ReceiptFilters, ReceiptPage } from '@/lib/ports/ledger-reader';

import { readReceiptRow, receiptColumns } from './receipt-row';
import { columnList } from './statements';

/**
 * Newest first, by keyset: a page far back costs what the first one does, and receipts that arrive meanwhile shift nothing.
 * The statement is written for the filters that are given, so that each is planned for what it asks. With a span of time
 * the order is by time: in order of the log the server would walk from the newest receipt back to an old span.
 */
export async function searchReceipts(
  pool: pg.Pool,
  workspace: string,
  filters: ReceiptFilters,
  { before, limit }: { readonly before?: bigint; readonly limit: number },
): Promise<ReceiptPage> {
  const { values, conditions, byTime } = conditionsOf(workspace, filters, before);
  // One more than asked for tells whether there is a page behind this one.
  values.push(limit + 1);
  const sql = `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE ${conditions.join(' AND ')}
    ORDER BY ${byTime ? '"at" DESC, ' : ''}"index" DESC LIMIT $${String(values.length)}`;
  const found = (await pool.query<Record<string, unknown>>(sql, values)).rows.map(readReceiptRow);
  const page = found.slice(0, limit);
  return { rows: page, next: found.length > limit ? (page.at(-1)?.index ?? null) : null };
}

/** Counts one by one up to a bound. Beyond it the whole log, or the server's own estimate of what fits. */
export async function countReceipts(pool: pg.Pool, workspace: string, filters: ReceiptFilters, upTo = 10_000): Promise<ReceiptCount> {
  const { values, conditions } = conditionsOf(workspace, filters, undefined);
  const from = `FROM "receipts" WHERE ${conditions.join(' AND ')}`;
  const counted = await pool.query<{ count: string }>(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT $${String(values.length + 1)}) AS found`, [...values, upTo + 1]);
  const count = Number(counted.rows[0]?.count ?? 0);
  if (count <= upTo) return { count, exact: true };
  const planned = await pool.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) SELECT 1 ${from}`, values);
  return { count: Math.max(upTo, estimate.parse(planned.rows[0]?.['QUERY PLAN'])[0].Plan['Plan Rows']), exact: false };
}

const estimate = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

type Conditions = { readonly values: unknown[]; readonly conditions: readonly string[]; readonly byTime: boolean };

function conditionsOf(workspace: string, filters: ReceiptFilters, before: bigint | undefined): Conditions {
  const values: unknown[] = [workspace];
  const conditions = ['"workspace_id" = $1'];
  const where = (value: unknown, condition: (parameter: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${String(values.length)}`));
  };
  const byTime = filters.from !== undefined || filters.to !== undefined || filters.text !== undefined;
  where(before, (p) =>
    byTime ? `("at", "index") < (SELECT "at", "index" FROM "receipts" WHERE "workspace_id" = $1 AND "index" = ${p})` : `"index" < ${p}`,
  );
  where(filters.decision, (p) => `"decision" = ${p}`);
  where(filters.tool, (p) => `"tool" = ${p}`);
  where(filters.agent, (p) => `"agent_id" = ${p}`);
  where(filters.person, (p) => `"person" = ${p}`);
  where(filters.session, (p) => `"session_id" = ${p}`);
  where(filters.action, (p) => `"action_id" = ${p}`);
  where(filters.kind, (p) => `"kind" = ${p}`);
  where(filters.revision, (p) => `"revision" = ${p}`);
  where(filters.label, (p) => `${p} = ANY("labels")`);
  where(filters.rule, (p) => `${p} = ANY("rules")`);
  where(filters.from, (p) => `"at" >= ${p}`);
  where(filters.to, (p) => `"at" < ${p}`);
  if (filters.text !== undefined) {
    where(likePattern(filters.text), (p) => `(${textColumns.map((c) => `"${c}" ILIKE ${p}`).join(' OR ')})`);
    where(filters.to ?? null, (p) => `"at" >= coalesce(${p}::timestamptz, clock_timestamp()) - interval '${textSearchSpan}'`);
  }
  return { values, conditions, byTime };
}

/** A text that is nowhere makes the server look at every receipt of the span, so the span is bounded. */
const textSearchSpan = '31 days';

const textColumns = ['id', 'session_id', 'action_id', 'agent_id', 'person', 'tool', 'operation'] as const;

/** The text anywhere; its own `%`, `_` and `\` stand for themselves. */
const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
