import type pg from 'pg';

import type { LogRow, ReceiptFilters, ReceiptPage } from '@/lib/ports/ledger-reader';

import { leafBounds, type LeafRun } from './find-receipts/leaf-bounds';
import { asksForFacets, matchingFacets } from './find-receipts/matching-facets';
import { logSize } from './find-receipts/log-size';
import { conditionsOnReceipts, newestPlaces, type Places, type Wanted } from './find-receipts/places-of';
import type { Conditions } from './find-receipts/receipt-conditions';
import { readReceiptRow, receiptColumns } from './receipt-row';
import { columnList } from './statements';

/** With more combinations than these, walking the log finds a page sooner than asking for each. */
const mostFacets = 10_000;

/** Up to so many combinations are asked for at once; more are asked for in the newest leaves first, where frequent ones fill a page. */
const fewFacets = 100;
const windows = [2 ** 13, 2 ** 17, 2 ** 20] as const;

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
  // One more than asked for tells whether there is a page behind this one.
  const most = page.limit + 1;
  const found: LogRow[] = [];
  for (const run of runsBefore(bounds.runs, page.before)) {
    if (found.length >= most) break;
    const wanted = { workspace, filters, bounds, run };
    const missing = most - found.length;
    found.push(...(facets ? await ofFacets(pool, wanted, facets, missing) : await byWalking(pool, conditionsOnReceipts(wanted), missing)));
  }
  const rows = found.slice(0, page.limit);
  return { rows, next: found.length > page.limit ? (rows.at(-1)?.index ?? null) : null };
}

/** The runs as far as they lie before a leaf. */
const runsBefore = (runs: readonly LeafRun[], before: bigint | undefined): readonly LeafRun[] =>
  before === undefined ? runs : runs.filter(({ from }) => from < before).map(({ from, to }) => ({ from, to: to === null || before < to ? before : to }));

async function ofFacets(pool: pg.Pool, wanted: Wanted, facets: readonly bigint[], most: number): Promise<readonly LogRow[]> {
  const { run } = wanted;
  if (facets.length > fewFacets) {
    const end = run.to ?? (await logSize(pool, wanted.workspace));
    for (const window of windows) {
      const from = end - BigInt(window);
      if (from <= run.from) break;
      const found = await takePlaces(pool, newestPlaces({ ...wanted, run: { from, to: run.to } }, facets, most));
      if (found.length >= most) return found;
    }
  }
  return await takePlaces(pool, newestPlaces(wanted, facets, most));
}

async function takePlaces(pool: pg.Pool, { sql, conditions }: Places): Promise<readonly LogRow[]> {
  const text = `SELECT ${columnList(receiptColumns, 'r')} FROM (${sql}) AS p JOIN "receipts" AS r ON r."workspace_id" = $1 AND r."index" = p."index" ORDER BY r."index" DESC`;
  return (await pool.query<Record<string, unknown>>(text, conditions.values)).rows.map(readReceiptRow);
}

async function byWalking(pool: pg.Pool, conditions: Conditions, most: number): Promise<readonly LogRow[]> {
  const text = `SELECT ${columnList(receiptColumns)} FROM "receipts" WHERE ${conditions.text} ORDER BY "index" DESC LIMIT ${conditions.value(most)}`;
  return (await pool.query<Record<string, unknown>>(text, conditions.values)).rows.map(readReceiptRow);
}
