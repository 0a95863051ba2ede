import { FactsList, type Fact } from '@/components/ui/facts-list';
import { Section } from '@/components/ui/section';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ReceiptsUrlState } from '@/lib/client/receipts-url';
import type { ReceiptRow } from '@/lib/contracts/console/receipts';

interface ReceiptFactsProps {
  readonly row: ReceiptRow;
  readonly onFilter: (part: Partial<ReceiptsUrlState>) => void;
}

/** What the receipt is about; each fact leads to the receipts that share it. */
export function ReceiptFacts({ row, onFilter }: ReceiptFactsProps) {
  const one = (label: string, value: string | null, part: Partial<ReceiptsUrlState>, shown = value): Fact[] =>
    value === null ? [] : [{ label, value: <Only text={shown ?? value} onClick={() => onFilter(part)} /> }];
  const many = (label: string, values: readonly string[], part: (value: string) => Partial<ReceiptsUrlState>): Fact[] =>
    values.length === 0 ? [] : [{ label, value: values.map((value) => <Only key={value} text={value} onClick={() => onFilter(part(value))} />) }];
  const facts = [
    ...one('Agent', row.agent, { agent: row.agent }),
    ...one('Person', row.person, { person: row.person }, row.person_name ?? row.person),
    ...one('Tool', row.tool, { tool: row.tool }),
    ...many('Rules', row.rules, (rule) => ({ rule })),
    ...one('Policy', row.revision === null ? null : String(row.revision), { revision: String(row.revision) }, `r${String(row.revision)}`),
    ...many('Labels', row.labels, (label) => ({ label })),
    ...one('Session', row.session, { session: row.session }),
    ...one('Action', row.action, { action: row.action }),
  ];
  return facts.length === 0 ? null : <Section title="About" note="Each leads to the receipts that share it" level={3}><FactsList facts={facts} /></Section>;
}

function Only({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return <button type="button" className="link mono only" onClick={onClick}><span className="vh">Only receipts of </span><UntrustedText text={text} /></button>;
}
