import type pg from 'pg';

import type { HeadInHand } from './open-transaction';
import { facetColumns, type Facet } from './receipt-facet';
import { insertRows } from './insert-rows';
import { insertStatement } from './statements';

const insertFacets = insertStatement('receipt_facets', facetColumns, 'ON CONFLICT DO NOTHING');

/** Facets that each connection has seen committed: they are never deleted, and there are few. */
const seen = new WeakMap<pg.ClientBase, Set<string>>();
const mostSeen = 50_000;

/** Transactions that have written a facet themselves: what they find then may be theirs, and go with them. */
const writing = new WeakSet<HeadInHand>();

/**
 * Writes the facets that are not there yet. Most batches have none, and after a while ask nothing: what an insert finds in
 * place, while nobody else can append, is committed. A transaction that is undone takes its new facets along, and the next asks again.
 */
export async function writeFacets(client: pg.ClientBase, workspace: string, head: HeadInHand, facets: ReadonlyMap<string, Facet>): Promise<void> {
  const known = seen.get(client) ?? new Set<string>();
  seen.set(client, known);
  const unsure = [...facets].filter(([id]) => !known.has(`${workspace} ${id}`));
  if (unsure.length === 0) return;
  const isOwn = writing.has(head);
  writing.add(head);
  if ((await insertRows(client, insertFacets, workspace, unsure.map(([, facet]) => facet))) > 0 || isOwn) return;
  writing.delete(head);
  if (known.size + unsure.length > mostSeen) known.clear();
  for (const [id] of unsure) known.add(`${workspace} ${id}`);
}
