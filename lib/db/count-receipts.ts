import type pg from 'pg';
import { z } from 'zod';

import type { ReceiptCount, ReceiptFilters } from '@/lib/ports/ledger-reader';

import { big } from './columns';
import { leafBounds } from './find-receipts/leaf-bounds';
import { asksForFacets, matchingFacets } from './find-receipts/matching-facets';
import { anyPlaces, conditionsOnReceipts } from './find-receipts/places-of';

/** Combinations at most that are counted by the index; with more, almost everything fits. */
const mostFacets = 20_000;

/** Counts one by one up to a bound; what is more, the server estimates from its statistics. The whole log is always exact. */
export async function countReceipts(pool: pg.Pool, workspace: string, filters: ReceiptFilters, upTo = 10_000): Promise<ReceiptCount> {
  if (Object.values(filters).every((filter) => filter === undefined)) return { count: await sizeOf(pool, workspace), exact: true };
  const [bounds, facets] = await Promise.all([
    leafBounds(pool, workspace, filters),
    asksForFacets(filters) ? matchingFacets(pool, workspace, filters, mostFacets) : null,
  ]);
  const wanted = { workspace, filters, bounds };
  const placesUpTo = (most: number | null): readonly [sql: string, values: unknown[]] => {
    if (facets) {
      const { sql, conditions } = anyPlaces(wanted, facets, most);
      return [sql, conditions.values];
    }
    const conditions = conditionsOnReceipts(wanted);
    return [`SELECT 1 FROM "receipts" WHERE ${conditions.text}${most === null ? '' : ` LIMIT ${conditions.value(most)}`}`, conditions.values];
  };
  const [bounded, values] = placesUpTo(upTo + 1);
  const [counted] = (await pool.query<Record<string, unknown>>(`SELECT count(*) AS "count" FROM (${bounded}) AS found`, values)).rows;
  const count = Number(big(counted?.['count']));
  if (count <= upTo) return { count, exact: true };
  const [unbounded, all] = placesUpTo(null);
  const planned = await pool.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${unbounded}`, all);
  return { count: Math.max(upTo + 1, estimate.parse(planned.rows[0]?.['QUERY PLAN'])[0].Plan['Plan Rows']), exact: false };
}

const estimate = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

async function sizeOf(pool: pg.Pool, workspace: string): Promise<number> {
  const [head] = (await pool.query<Record<string, unknown>>('SELECT "size" FROM "ledger_heads" WHERE "workspace_id" = $1', [workspace])).rows;
  return Number(big(head?.['size']));
}
