import type pg from 'pg';

import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

import { big, bool, orNull, time } from '../columns';
import { spanLeaves } from '../receipt-spans';
import { rows, statement } from '../statements';
import type { Conditions } from './receipt-conditions';

/** Leaves `from` to `to` (excluded; null: the end of the log). */
export type LeafRun = { readonly from: bigint; readonly to: bigint | null };

/** Where in the log everything lies that a span of time or a revision asks for, newest first, and the exact times inside. */
export type LeafBounds = { readonly runs: readonly LeafRun[]; readonly since: string | undefined; readonly until: string | undefined };

const inSpan = (from: string, to: string): string => `${to} >= coalesce($2::timestamptz, '-infinity') AND ${from} < coalesce($3::timestamptz, 'infinity')`;

/**
 * Runs of spans that fit; beyond the newest ones everything older is one run. Leaves behind the last complete span are few, so
 * they are looked at one by one, unless the list goes to the end of the log anyway.
 */
const runsThat = statement(
  'receipt_runs_that',
  `WITH rest AS MATERIALIZED (SELECT coalesce(max("nr") + 1, 0) * ${String(spanLeaves)} AS "from" FROM "receipt_spans" WHERE "workspace_id" = $1),
     fit AS (SELECT "nr", "nr" - row_number() OVER (ORDER BY "nr") AS "run" FROM "receipt_spans"
       WHERE "workspace_id" = $1 AND ${inSpan('"from_at"', '"to_at"')} AND ($4::int4 IS NULL OR ("from_revision" <= $4 AND "to_revision" >= $4))),
     runs AS (SELECT min("nr") AS "first", max("nr") + 1 AS "end", row_number() OVER (ORDER BY min("nr") DESC) AS "place" FROM fit GROUP BY "run")
   SELECT rest."from" AS "rest",
     ($3::timestamptz IS NULL AND $4::int4 IS NULL) OR EXISTS (SELECT 1 FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= (SELECT "from" FROM rest)
       AND ${inSpan('"at"', '"at"')} AND ($4::int4 IS NULL OR "revision" = $4)) AS "reaches_end",
     r."first" * ${String(spanLeaves)} AS "from", r."end" * ${String(spanLeaves)} AS "to"
   FROM rest LEFT JOIN (SELECT min("first") AS "first", max("end") AS "end" FROM runs GROUP BY least("place", $5)) AS r ON true ORDER BY r."first" DESC`,
);
const mostRuns = 16;

const textSince = statement(
  'receipt_text_since',
  `SELECT greatest($1::timestamptz, coalesce($2::timestamptz, clock_timestamp()) - interval '31 days') AS "since"`,
);

/**
 * Lists go in order of the log, also within a span of time: what was signed earlier may stand a few leaves later, but a span's
 * receipts lie together. So the bounds are taken from the times of each thousand leaves, and never leave one out. A receipt of another time among them only adds a run.
 */
export async function leafBounds(pool: pg.Pool, workspace: string, { from, to, revision, text }: ReceiptFilters): Promise<LeafBounds> {
  const [given] = text === undefined ? [] : await rows(pool, textSince, [from ?? null, to ?? null]);
  const since = given ? time(given['since']) : from;
  if (since === undefined && to === undefined && revision === undefined) return { runs: [{ from: 0n, to: null }], since, until: to };
  const found = await rows(pool, runsThat, [workspace, since ?? null, to ?? null, revision ?? null, mostRuns]);
  const runs: LeafRun[] = bool(found[0]?.['reaches_end']) ? [{ from: big(found[0]?.['rest']), to: null }] : [];
  for (const row of found) {
    const [from, end] = [orNull(big)(row['from']), orNull(big)(row['to'])];
    if (from === null || end === null) continue;
    // The newest complete span and what is behind it are one run.
    if (runs.length === 1 && runs[0]?.to === null && runs[0].from === end) runs[0] = { from, to: null };
    else runs.push({ from, to: end });
  }
  return { runs, since, until: to };
}

/** One run as conditions on receipts, with the exact times and revision inside it. */
export function addBounds(conditions: Conditions, run: LeafRun, bounds: LeafBounds, revision: number | undefined): void {
  conditions.add(run.from === 0n ? undefined : run.from, (p) => `"index" >= ${p}`);
  conditions.add(run.to ?? undefined, (p) => `"index" < ${p}`);
  conditions.add(bounds.since, (p) => `"at" >= ${p}`);
  conditions.add(bounds.until, (p) => `"at" < ${p}`);
  conditions.add(revision, (p) => `"revision" = ${p}`);
}
