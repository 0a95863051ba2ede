import type pg from 'pg';

import type { ReceiptFilters, ReceiptPage } from '@/lib/ports/ledger-reader';

import { leafBounds } from './find-receipts/leaf-bounds';
import { asksForFacets, matchingFacets } from './find-receipts/matching-facets';
import { conditionsOnReceipts, newestPlaces } from './find-receipts/places-of';
import { readReceiptRow, receiptColumns } from './receipt-row';
import { columnList } from './statements';

/** With more combinations than these, walking the log finds a page sooner than asking for each. */
const mostFacets = 2000;

type Page = { readonly before?: bigint; readonly limit: number };

/**
 * Newest first, by keyset: a page far back costs what the first one does, and receipts that arrive meanwhile shift nothing.
 * Filters first look among the combinations that there are (`receipt_facets`), then take the newest places of each from one
 * index: what is rare, old, or never came together costs no more than what is on the first page.
 */
export async function searchReceipts(pool: pg.Pool, workspace: string, filters: ReceiptFilters, page: Page): Promise<ReceiptPage> {
  const [bounds, facets] = await Promise.all([
    leafBounds(pool, workspace, filters),
    asksForFacets(filters) ? matchingFacets(pool, workspace, filters, mostFacets) : null,
  ]);
  const wanted = { workspace, filters, bounds, ...(page.before === undefined ? {} : { before: page.before }) };
  // One more than asked for tells whether there is a page behind this one.
  const most = page.limit + 1;
  const found = facets ? await ofFacets(pool, newestPlaces(wanted, facets, most)) : await byWalking(pool, conditionsOnReceipts(wanted), most);
  const rows = found.slice(0, page.limit);
  return { rows, next: found.length > page.limit ? (rows.at(-1)?.index ?? null) : null };
}

async function ofFacets(pool: pg.Pool, { sql, conditions }: ReturnType<typeof newestPlaces>) {
  const text = `SELECT ${columnList(receiptColumns, 'r')} FROM (${sql}) AS p JOIN "receipts" AS r ON r."workspace_id" = $1 AND r."index" = p."index" ORDER BY r."index" DESC`;
  return (await pool.query<Record<string, unknown>>(text, conditions.values)).rows.map(readReceiptRow);
}

async function byWalking(pool: pg.Pool, conditions: ReturnType<typeof conditionsOnReceipts>, most: number) {
  const text = `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE ${conditions.text} ORDER BY "index" DESC LIMIT ${conditions.value(most)}`;
  return (await pool.query<Record<string, unknown>>(text, conditions.values)).rows.map(readReceiptRow);
}
