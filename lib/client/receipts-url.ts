import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

import { receiptFilterFields, receiptFilters, spans, type ReceiptFilters } from '@/lib/contracts/console/receipt-filters';
import { receiptsQuery, type ReceiptsQuery } from '@/lib/contracts/console/receipts';

export const decisionsShown = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'] as const;

/** What the receipts page keeps in its address. A filter is a step that the back button undoes; typing is one step, and so is each opened receipt. */
export const receiptsUrl = {
  span: parseAsStringLiteral(spans),
  from: parseAsString,
  to: parseAsString,
  decision: parseAsStringLiteral(decisionsShown),
  kind: parseAsString,
  tool: parseAsString,
  agent: parseAsString,
  person: parseAsString,
  rule: parseAsString,
  revision: parseAsString,
  label: parseAsString,
  session: parseAsString,
  action: parseAsString,
  text: parseAsString,
  receipt: parseAsString,
};

export const loadReceiptsUrl = createLoader(receiptsUrl);

type FilterName = keyof ReceiptFilters;
export type ReceiptsUrlState = { readonly [Name in Exclude<FilterName, 'span' | 'decision'>]: string | null } & {
  readonly span: (typeof spans)[number] | null;
  readonly decision: (typeof decisionsShown)[number] | null;
};

export const noFilters: ReceiptsUrlState = {
  span: null, from: null, to: null, decision: null, kind: null, tool: null, agent: null, person: null, rule: null, revision: null, label: null, session: null, action: null, text: null,
};

export const pageLimit = 100;

const isFilterName = (name: string): name is FilterName => Object.hasOwn(receiptFilterFields, name);

/** The filters of an address. A part that is no valid filter is left out rather than refused: somebody edited the address. */
export function filtersOf(state: ReceiptsUrlState): ReceiptFilters {
  const filters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ ...state, text: state.text?.trim().slice(0, 200) ?? null })) {
    if (value === null || !isFilterName(name)) continue;
    const parsed = receiptFilterFields[name].safeParse(value);
    if (parsed.success) filters[name] = parsed.data;
  }
  return receiptFilters.parse(filters);
}

export const receiptsQueryOf = (state: ReceiptsUrlState): ReceiptsQuery => receiptsQuery.parse({ ...filtersOf(state), limit: pageLimit });

/** The address of these filters: what is not among them is taken away. */
export function urlOfFilters({ span, from, to, decision, kind, tool, agent, person, rule, revision, label, session, action, text }: ReceiptFilters): ReceiptsUrlState {
  return {
    span: span ?? null, from: from ?? null, to: to ?? null, decision: decision ?? null, kind: kind ?? null, tool: tool ?? null, agent: agent ?? null, person: person ?? null, rule: rule ?? null,
    revision: revision === undefined ? null : String(revision), label: label ?? null, session: session ?? null, action: action ?? null, text: text ?? null,
  };
}
