import { decisionWord } from '@/components/ui/decision-kind';
import { filterNames, type ReceiptFilters, type Span } from '@/lib/contracts/console/receipt-filters';
import { formatUtc } from '@/lib/client/format-time';

import { kindWords } from './receipt-words';

export const spanWords: { readonly [S in Span]: string } = { hour: 'Last hour', today: 'Today, UTC', day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' };

const names: { readonly [Name in keyof Required<ReceiptFilters>]: string } = {
  span: 'time', from: 'from', to: 'until', decision: 'decision', kind: 'kind', tool: 'tool', agent: 'agent', person: 'person', rule: 'rule',
  revision: 'policy', label: 'label', session: 'session', action: 'action', text: 'text',
};

export type ShownFilter = { readonly name: keyof ReceiptFilters; readonly label: string; readonly value: string };

/** The filters that are on, as words: `decision` "Deny", `policy` "r7". In the order in which the page offers them. */
export const shownFilters = (filters: ReceiptFilters): readonly ShownFilter[] =>
  filterNames.flatMap((name) => (filters[name] === undefined ? [] : [{ name, label: names[name], value: valueWords(filters, name) }]));

function valueWords(filters: ReceiptFilters, name: keyof ReceiptFilters): string {
  switch (name) {
    case 'span': return filters.span === undefined ? '' : spanWords[filters.span].toLowerCase().replace('utc', 'UTC');
    case 'from': return filters.from === undefined ? '' : formatUtc(Date.parse(filters.from));
    case 'to': return filters.to === undefined ? '' : formatUtc(Date.parse(filters.to));
    case 'decision': return filters.decision === undefined ? '' : decisionWord[filters.decision];
    case 'kind': return filters.kind === undefined ? '' : kindWords(filters.kind).toLowerCase();
    case 'revision': return `r${String(filters.revision)}`;
    case 'text': return `“${filters.text ?? ''}”`;
    default: return filters[name] ?? '';
  }
}

/** "decision Deny and agent harbor-ops" */
export function filterSentence(filters: ReceiptFilters): string {
  const words = shownFilters(filters).map(({ label, value }) => `${label} ${value}`);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** "about 41,000" when nobody counted them all. */
export const countWords = ({ value, about }: { readonly value: number; readonly about: boolean }): string =>
  about ? `about ${Number(value.toPrecision(2)).toLocaleString('en')}` : value.toLocaleString('en');
