import type { ReceiptsUrlState } from '@/lib/client/receipts-url';
import { receiptFilterFields } from '@/lib/contracts/console/receipt-filters';

const draftNames = ['tool', 'agent', 'person', 'rule', 'label', 'revision', 'session', 'action', 'from', 'to'] as const;
type DraftName = (typeof draftNames)[number];
export type FilterDraft = { readonly [Name in DraftName]: string };

type Offered = { readonly name: DraftName; readonly label: string; readonly hint?: string; readonly type: 'text' | 'datetime-local' };

export const fieldsOffered: readonly Offered[] = [
  { name: 'tool', label: 'Tool', hint: 'Its name before the dot, such as payments.', type: 'text' },
  { name: 'agent', label: 'Agent', type: 'text' },
  { name: 'person', label: 'Person', hint: 'Their id or e-mail address.', type: 'text' },
  { name: 'rule', label: 'Rule', hint: 'Of those that determined a decision.', type: 'text' },
  { name: 'label', label: 'Label', hint: 'That the session carried.', type: 'text' },
  { name: 'revision', label: 'Policy revision', hint: 'The number behind the r.', type: 'text' },
  { name: 'session', label: 'Session', type: 'text' },
  { name: 'action', label: 'Action', type: 'text' },
  { name: 'from', label: 'From, UTC', type: 'datetime-local' },
  { name: 'to', label: 'Until, UTC', hint: 'This moment is left out.', type: 'datetime-local' },
];

export const draftOf = (url: ReceiptsUrlState): FilterDraft => ({
  tool: url.tool ?? '', agent: url.agent ?? '', person: url.person ?? '', rule: url.rule ?? '', label: url.label ?? '', revision: url.revision ?? '',
  session: url.session ?? '', action: url.action ?? '', from: fieldTime(url.from), to: fieldTime(url.to),
});

export type DraftRead =
  | { readonly ok: true; readonly value: Partial<ReceiptsUrlState> }
  | { readonly ok: false; readonly errors: { readonly [Name in DraftName]?: string } };

/** The filters that a filled-in form names, or what is wrong with which field. A chosen time takes the place of a span that ends now. */
export function readDraft(draft: FilterDraft): DraftRead {
  const errors: { [Name in DraftName]?: string } = {};
  const value: { [Name in DraftName]: string | null } = { tool: null, agent: null, person: null, rule: null, label: null, revision: null, session: null, action: null, from: null, to: null };
  for (const name of draftNames) {
    const typed = draft[name].trim();
    if (typed === '') continue;
    const text = name === 'from' || name === 'to' ? storedTime(typed) : typed;
    const parsed = receiptFilterFields[name].safeParse(text);
    if (parsed.success) value[name] = text;
    else errors[name] = name === 'from' || name === 'to' ? 'A day and a time are needed here.' : parsed.error.issues[0]?.message ?? 'This does not fit.';
  }
  if (value.from !== null && value.to !== null && value.from >= value.to) errors.to = 'This is not after the beginning.';
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, value: value.from === null && value.to === null ? value : { ...value, span: null } };
}

/** `2026-11-30T13:22` of the field is taken as UTC: everybody who opens the address then sees the same receipts. */
const storedTime = (typed: string): string => {
  const at = Date.parse(`${typed}Z`);
  return Number.isNaN(at) ? typed : new Date(at).toISOString();
};

const fieldTime = (stored: string | null): string => stored?.replace(/(:00)?\.\d{3}Z$/, '') ?? '';
