import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

import { addBounds, type LeafBounds, type LeafRun } from './leaf-bounds';
import { addFacetFilters, Conditions, idColumns, idRange, namesHold } from './receipt-conditions';

/** What is searched for: filters, and where in the log that can lie; one run of leaves at a time. */
export type Wanted = { readonly workspace: string; readonly filters: ReceiptFilters; readonly bounds: LeafBounds; readonly run: LeafRun };

/** Conditions on the receipts themselves: for whoever walks the log, or the receipts of one session or action. */
export function conditionsOnReceipts({ workspace, filters, bounds, run }: Wanted): Conditions {
  const conditions = new Conditions(workspace);
  conditions.add(filters.session, (p) => `"session_id" = ${p}`);
  conditions.add(filters.action, (p) => `"action_id" = ${p}`);
  addFacetFilters(conditions, filters);
  addBounds(conditions, run, bounds, filters.revision);
  const { text } = filters;
  if (text !== undefined) conditions.all.push(`(${[namesHold(text, conditions), ...idConditions(text, conditions)].join(' OR ')})`);
  return conditions;
}

/** A statement's text and values that give the indexes of receipts, each branch by an index of its own. */
export type Places = { readonly sql: string; readonly conditions: Conditions };

/**
 * The newest `most` receipts of each facet, by the index on facet and leaf; a text may also be the beginning of an id. What
 * is taken of each facet is a few entries of an index, so rare and old ones are found as fast as frequent ones.
 */
export function newestPlaces({ workspace, filters, bounds, run }: Wanted, facets: readonly bigint[], most: number): Places {
  const conditions = new Conditions(workspace);
  addBounds(conditions, run, bounds, filters.revision);
  const where = conditions.text;
  const limit = conditions.value(most);
  const list = conditions.value(facets);
  const ofFacets = `SELECT p."index" FROM unnest(${list}::int8[]) AS f("id")
    CROSS JOIN LATERAL (SELECT "index" FROM "receipts" WHERE ${where} AND "facet" = f."id" ORDER BY "index" DESC LIMIT ${limit}) AS p`;
  const named = ofNamed({ filters }, conditions, where);
  return { sql: `SELECT "index" FROM (${[ofFacets, ...named].join(' UNION ')}) AS found ORDER BY "index" DESC LIMIT ${limit}`, conditions };
}

/** Up to `most` receipts of the facets, in any order. */
export function anyPlaces({ workspace, filters, bounds, run }: Wanted, facets: readonly bigint[], most: number | null): Places {
  const conditions = new Conditions(workspace);
  addBounds(conditions, run, bounds, filters.revision);
  const where = conditions.text;
  const limit = most === null ? '' : ` LIMIT ${conditions.value(most)}`;
  const ofFacets = `SELECT "index" FROM "receipts" WHERE ${where} AND "facet" = ANY(${conditions.value(facets)}::int8[])`;
  const named = ofNamed({ filters }, conditions, where);
  return { sql: `SELECT "index" FROM (${[ofFacets, ...named].map((one) => `(${one}${limit})`).join(' UNION ')}) AS found${limit}`, conditions };
}

/** Receipts by the beginning of an id; the other filters hold on the receipts themselves. */
function ofNamed({ filters }: Pick<Wanted, 'filters'>, conditions: Conditions, where: string): readonly string[] {
  const { text, ...rest } = filters;
  const ids = text === undefined ? [] : idConditions(text, conditions);
  if (ids.length === 0) return [];
  const before = conditions.all.length;
  addFacetFilters(conditions, rest);
  const others = conditions.all.splice(before).map((condition) => ` AND ${condition}`);
  return ids.map((id) => `SELECT "index" FROM "receipts" WHERE ${where} AND ${id}${others.join('')}`);
}

function idConditions(text: string, conditions: Conditions): readonly string[] {
  const range = idRange(text);
  if (!range) return [];
  const [from, to] = range.map((end) => conditions.value(end));
  return idColumns.map((column) => `("${column}" >= ${String(from)} AND "${column}" < ${String(to)})`);
}
