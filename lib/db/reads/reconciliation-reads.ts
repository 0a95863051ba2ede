import type pg from 'pg';

import type { OpenEnd, OpenEndRow, ReconciliationReads } from '@/lib/ports/reconciliation-reads';
import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import { big, bool, int, orNull, text, time, type Row } from '../columns';
import { rows, statement } from '../statements';
import { plannedRows } from './planned-rows';

/** Each condition is one that an index leads to: by state and time, and for unused permits an index of those alone. */
const conditions: { readonly [End in OpenEnd]: string } = {
  outcome_missing: `"state" = 'redeemed'`,
  outcome_unknown: `"state" = 'unknown'`,
  permit_unused: `"state" = 'expired' AND "permit_id" IS NOT NULL`,
};

const ends = ['outcome_missing', 'outcome_unknown', 'permit_unused'] as const satisfies readonly OpenEnd[];
const perEnd = <Value>(make: (end: OpenEnd) => Value): { readonly [End in OpenEnd]: Value } => ({
  outcome_missing: make(ends[0]), outcome_unknown: make(ends[1]), permit_unused: make(ends[2]),
});

const page = perEnd((end) =>
  statement(
    `open_ends_${end}`,
    `SELECT "id", "session_id", "agent_id", "tool", "operation", "receipt_id", "receipt_index", "changed_at", "outcome_due_at",
       coalesce("outcome_due_at" < clock_timestamp(), false) AS "overdue"
     FROM "actions" WHERE "workspace_id" = $1 AND ${conditions[end]} AND ($2::timestamptz IS NULL OR ("changed_at", "id") < ($2, $3::text))
     ORDER BY "changed_at" DESC, "id" DESC LIMIT $4`,
  ),
);
const counted = perEnd((end) =>
  statement(`count_${end}`, `SELECT count(*)::int AS "count" FROM (SELECT 1 FROM "actions" WHERE "workspace_id" = $1 AND ${conditions[end]} LIMIT $2) AS found`),
);

/** A row's neighbour is looked up, not counted on: the position before the first and the one behind the last bound the stretch. */
const gaps = statement(
  'log_gaps',
  `SELECT "lo", "hi" FROM (
     SELECT "index" + 1 AS "lo", lead("index", 1, $3::int8) OVER (ORDER BY "index") - 1 AS "hi"
     FROM (SELECT $2::int8 - 1 AS "index" UNION ALL SELECT "index" FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2::int8 AND "index" < $3::int8) AS held
   ) AS between_rows WHERE "hi" >= "lo" ORDER BY "lo" LIMIT $4`,
);

export const reconciliationReads = (pool: pg.Pool, workspace: string): ReconciliationReads => ({
  openEnds: async (of, { limit, after }) => {
    // One more than asked for tells whether there is a page behind this one.
    const found = (await rows(pool, page[of], [workspace, after?.at ?? null, after?.id ?? null, limit + 1])).map(readOpenEnd);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return { rows: shown, next: found.length > limit && last ? { at: last.changed_at, id: last.action } : null };
  },
  countOpenEnds: async (of, upTo) => {
    const value = int((await rows(pool, counted[of], [workspace, upTo + 1]))[0]?.['count']);
    if (value <= upTo) return { value, about: false };
    return { value: Math.max(upTo, await plannedRows(pool, `FROM "actions" WHERE "workspace_id" = $1 AND ${conditions[of]}`, [workspace])), about: true };
  },
  gaps: async (from, to, limit) => (await rows(pool, gaps, [workspace, from, to, limit])).map((row) => ({ from: big(row['lo']), to: big(row['hi']) })),
});

const readOpenEnd = (row: Row): OpenEndRow => ({
  action: text(row['id']) as ActionId,
  session: text(row['session_id']) as SessionId,
  agent: text(row['agent_id']),
  tool: text(row['tool']),
  operation: text(row['operation']),
  receipt: { id: text(row['receipt_id']) as ReceiptId, index: big(row['receipt_index']) },
  changed_at: time(row['changed_at']),
  outcome_due_at: orNull(time)(row['outcome_due_at']),
  overdue: bool(row['overdue']),
});
