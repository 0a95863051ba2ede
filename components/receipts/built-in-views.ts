import type { ReceiptFilters } from '@/lib/contracts/console/receipt-filters';

/** What auditors look for first. Their own views stand below these. */
export const builtInViews: readonly { readonly name: string; readonly filters: ReceiptFilters }[] = [
  { name: 'Denied today', filters: { span: 'today', decision: 'DENY' } },
  { name: 'Held by people', filters: { kind: 'approval_requested' } },
  { name: 'Approved and denied by people', filters: { kind: 'approval_resolved' } },
  { name: 'Changed by policy', filters: { decision: 'MODIFY' } },
  { name: 'Redemptions refused', filters: { kind: 'permit_refused' } },
  { name: 'Policies applied', filters: { kind: 'policy_applied' } },
  { name: 'Exports made', filters: { kind: 'export_made' } },
];

/** Two sets of filters let through the same receipts. */
export const sameFilters = (a: ReceiptFilters, b: ReceiptFilters): boolean => {
  const text = (filters: ReceiptFilters) => JSON.stringify(Object.entries(filters).filter(([, value]) => value !== undefined).sort(([one], [other]) => (one < other ? -1 : 1)));
  return text(a) === text(b);
};
