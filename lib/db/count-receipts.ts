import type pg from 'pg';
import { z } from 'zod';

import type { ReceiptCount, ReceiptFilters } from '@/lib/ports/ledger-reader';

import { big } from './columns';
import { leafBounds, type LeafRun } from './find-receipts/leaf-bounds';
import { logSize } from './find-receipts/log-size';
import { asksForFacets, matchingFacets } from './find-receipts/matching-facets';
import { anyPlaces, conditionsOnReceipts } from './find-receipts/places-of';

/** Combinations at most that are counted by the index; with more, almost everything fits. */
const mostFacets = 20_000;
const mostEstimated = 1000;

/** Counts one by one up to a bound; what is more, the server estimates from its statistics. The whole log is always exact. */
export async function countReceipts(pool: pg.Pool, workspace: string, filters: ReceiptFilters, upTo = 10_000): Promise<ReceiptCount> {
  if (Object.values(filters).every((filter) => filter === undefined)) return { count: Number(await logSize(pool, workspace)), exact: true };
  const [bounds, facets] = await Promise.all([
    leafBounds(pool, workspace, filters),
    asksForFacets(filters) ? matchingFacets(pool, workspace, filters, mostFacets) : null,
  ]);
  const places = (run: LeafRun, most: number | null): readonly [sql: string, values: unknown[]] => {
    const wanted = { workspace, filters, bounds, run };
    // Statistics of a long list take longer to look up than the answer is worth.
    if (facets && (most !== null || facets.length <= mostEstimated)) {
      const { sql, conditions } = anyPlaces(wanted, facets, most);
      return [sql, conditions.values];
    }
    const conditions = conditionsOnReceipts(wanted);
    return [`SELECT 1 FROM "receipts" WHERE ${conditions.text}${most === null ? '' : ` LIMIT ${conditions.value(most)}`}`, conditions.values];
  };
  let count = 0;
  for (const run of bounds.runs) {
    const [sql, values] = places(run, upTo + 1 - count);
    const [counted] = (await pool.query<Record<string, unknown>>(`SELECT count(*) AS "count" FROM (${sql}) AS found`, values)).rows;
    count += Number(big(counted?.['count']));
    if (count > upTo) return { count: Math.max(count, await estimated(pool, bounds.runs.map((one) => places(one, null)))), exact: false };
  }
  return { count, exact: true };
}

async function estimated(pool: pg.Pool, statements: readonly (readonly [sql: string, values: unknown[]])[]): Promise<number> {
  let sum = 0;
  for (const [sql, values] of statements) {
    const planned = await pool.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${sql}`, values);
    sum += estimate.parse(planned.rows[0]?.['QUERY PLAN'])[0].Plan['Plan Rows'];
  }
  return sum;
}

const estimate = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);
