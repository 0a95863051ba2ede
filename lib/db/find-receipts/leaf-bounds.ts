import type pg from 'pg';

import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

import { big, orNull, time } from '../columns';
import { spanLeaves } from '../receipt-spans';
import { rows, statement } from '../statements';
import type { Conditions } from './receipt-conditions';

/** Where in the log everything lies that a span of time or a revision asks for: leaves `from` to `to` (excluded; null: its end). */
export type LeafBounds = { readonly from: bigint; readonly to: bigint | null; readonly since: string | undefined; readonly until: string | undefined };

const spansThat = statement(
  'receipt_spans_that',
  `SELECT min("nr") * ${String(spanLeaves)} AS "from", (max("nr") + 1) * ${String(spanLeaves)} AS "to",
     coalesce((SELECT max("nr") + 1 FROM "receipt_spans" WHERE "workspace_id" = $1), 0) * ${String(spanLeaves)} AS "rest"
   FROM "receipt_spans" WHERE "workspace_id" = $1 AND "to_at" >= coalesce($2, '-infinity'::timestamptz) AND "from_at" < coalesce($3, 'infinity'::timestamptz)
     AND ($4::int4 IS NULL OR ("from_revision" <= $4 AND "to_revision" >= $4))`,
);

/** Leaves behind the last complete span: few, so they are looked at one by one. */
const restHolds = statement(
  'receipts_behind_spans',
  `SELECT 1 AS "one" FROM "receipts" WHERE "workspace_id" = $1 AND "index" >= $2 AND "at" >= coalesce($3, '-infinity'::timestamptz)
     AND "at" < coalesce($4, 'infinity'::timestamptz) AND ($5::int4 IS NULL OR "revision" = $5) LIMIT 1`,
);

const textSince = statement(
  'receipt_text_since',
  `SELECT greatest($1::timestamptz, coalesce($2::timestamptz, clock_timestamp()) - interval '31 days') AS "since"`,
);

/**
 * Lists go in order of the log, also within a span of time: what was signed earlier may stand a few leaves later, but a span's
 * receipts lie together. So the bounds are taken from the times of each thousand leaves, and never leave one out.
 */
export async function leafBounds(pool: pg.Pool, workspace: string, { from, to, revision, text }: ReceiptFilters): Promise<LeafBounds> {
  const [given] = text === undefined ? [] : await rows(pool, textSince, [from ?? null, to ?? null]);
  const since = given ? time(given['since']) : from;
  if (since === undefined && to === undefined && revision === undefined) return { from: 0n, to: null, since, until: to };
  const [spans] = await rows(pool, spansThat, [workspace, since ?? null, to ?? null, revision ?? null]);
  const rest = big(spans?.['rest']);
  const first = orNull(big)(spans?.['from']) ?? rest;
  const isOpen = to === undefined && revision === undefined;
  const reachesEnd = isOpen || (await rows(pool, restHolds, [workspace, rest, since ?? null, to ?? null, revision ?? null])).length > 0;
  return { from: first, to: reachesEnd ? null : (orNull(big)(spans?.['to']) ?? 0n), since, until: to };
}

/** The bounds as conditions on receipts, with the exact times and revision inside them. */
export function addBounds(conditions: Conditions, bounds: LeafBounds, revision: number | undefined, before: bigint | undefined): void {
  conditions.add(bounds.from === 0n ? undefined : bounds.from, (p) => `"index" >= ${p}`);
  const end = before === undefined || (bounds.to !== null && bounds.to < before) ? (bounds.to ?? undefined) : before;
  conditions.add(end, (p) => `"index" < ${p}`);
  conditions.add(bounds.since, (p) => `"at" >= ${p}`);
  conditions.add(bounds.until, (p) => `"at" < ${p}`);
  conditions.add(revision, (p) => `"revision" = ${p}`);
}
