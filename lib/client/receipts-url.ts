import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

import { receiptsQuery, type ReceiptsQuery } from '@/lib/contracts/console/receipts';

export const decisionsShown = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'] as const;

/** What the receipts page keeps in its address. */
export const receiptsUrl = {
  decision: parseAsStringLiteral(decisionsShown),
  kind: parseAsString,
  agent: parseAsString,
  tool: parseAsString,
  session: parseAsString,
  action: parseAsString,
  from: parseAsString,
  text: parseAsString.withDefault(''),
  receipt: parseAsString,
};

export const loadReceiptsUrl = createLoader(receiptsUrl);

export type ReceiptsUrlState = {
  readonly decision: (typeof decisionsShown)[number] | null;
  readonly kind: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly session: string | null;
  readonly action: string | null;
  readonly from: string | null;
  readonly text: string;
};

export const pageLimit = 100;

/** The query of an address. A part that is no valid filter is left out rather than refused: somebody edited the address. */
export function receiptsQueryOf(state: ReceiptsUrlState): ReceiptsQuery {
  const wished = { ...state, text: state.text.trim().slice(0, 200) || null };
  const query: Record<string, unknown> = { limit: pageLimit };
  for (const [name, value] of Object.entries(wished)) {
    if (value !== null && receiptsQuery.safeParse({ [name]: value }).success) query[name] = value;
  }
  return receiptsQuery.parse(query);
}
