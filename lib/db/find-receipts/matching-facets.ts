import type pg from 'pg';

import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

import { big } from '../columns';
import { addFacetFilters, Conditions, namesHold } from './receipt-conditions';

/** Whether facets narrow the search down. Receipts of one session or action are few, and have an index of their own. */
export const asksForFacets = ({ session, action, decision, tool, agent, person, kind, label, rule, text }: ReceiptFilters): boolean =>
  session === undefined && action === undefined && [decision, tool, agent, person, kind, label, rule, text].some((filter) => filter !== undefined);

/** Ids of the combinations that fit; null when they are more than `most`, so that most pages of the log hold one. */
export async function matchingFacets(pool: pg.Pool, workspace: string, filters: ReceiptFilters, most: number): Promise<readonly bigint[] | null> {
  const conditions = new Conditions(workspace);
  addFacetFilters(conditions, filters);
  if (filters.text !== undefined) conditions.all.push(namesHold(filters.text, conditions));
  const sql = `SELECT "id" FROM "receipt_facets" WHERE ${conditions.text} LIMIT ${conditions.value(most + 1)}`;
  const found = (await pool.query<Record<string, unknown>>(sql, conditions.values)).rows;
  return found.length > most ? null : found.map((row) => big(row['id']));
}
