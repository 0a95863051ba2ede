import type pg from 'pg';
import { z } from 'zod';

const plan = z.tuple([z.object({ Plan: z.object({ 'Plan Rows': z.number() }) })]);

/** How many rows the server expects of `FROM … WHERE …`. Nothing is read: it takes what the statistics say. */
export async function plannedRows(pool: pg.Pool, from: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) SELECT 1 ${from}`, [...values]);
  return plan.parse(rows[0]?.['QUERY PLAN'])[0].Plan['Plan Rows'];
}
