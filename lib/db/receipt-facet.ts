import type { SignedReceipt } from '@/lib/ports/ledger-store';
import { utf8 } from '@/lib/shared/encoding';

import { sha256 } from './sha256';
import type { Columns, Values } from './statements';

/** What receipts are filtered by, beside session, action, revision and time: few combinations, each many times. */
export const facetColumns = {
  id: 'int8', kind: 'text', agent_id: 'text', person: 'text', tool: 'text', operation: 'text', decision: 'text', labels: 'text[]', rules: 'text[]',
} as const satisfies Columns;

export type Facet = Values<keyof typeof facetColumns>;

/** Combinations that were hashed lately; bounded, since names may be anybody's. */
const known = new Map<string, Facet>();
const mostKnown = 20_000;

/**
 * The combination that a receipt belongs to. Its id is the first 8 bytes of the SHA-256 of its values, so that every process
 * gives the same one without asking; two combinations of one id would show in `fsck`, and need 2^32 tries by whoever may name tools.
 */
export function facetOf(receipt: Omit<SignedReceipt, 'id' | 'at' | 'envelope'>): Facet {
  const { kind, agent = null, person = null, tool = null, operation = null, decision = null, labels = [], rules = [] } = receipt;
  const values = JSON.stringify([kind, agent, person, tool, operation, decision, labels, rules]);
  const found = known.get(values);
  if (found) return found;
  const hash = sha256(utf8(values));
  const id = new DataView(hash.buffer, hash.byteOffset, hash.byteLength).getBigInt64(0).toString();
  const facet: Facet = { id, kind, agent_id: agent, person, tool, operation, decision, labels, rules };
  if (known.size >= mostKnown) known.clear();
  known.set(values, facet);
  return facet;
}
