'use client';

import type { RefObject } from 'react';

import { DecisionMark } from '@/components/ui/decision-mark';
import { decisionWord } from '@/components/ui/decision-kind';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { SearchField } from '@/components/ui/search-field';
import { decisionsShown, type ReceiptsUrlState } from '@/lib/client/receipts-url';

import { kindsOffered, kindWords } from './receipt-words';

interface ReceiptFiltersProps {
  readonly url: ReceiptsUrlState;
  readonly filterRef: RefObject<HTMLInputElement | null>;
  readonly onChange: (part: Partial<ReceiptsUrlState>) => void;
}

const hours = [{ label: 'Any time', hours: null }, { label: 'Last hour', hours: 1 }, { label: 'Last 24 hours', hours: 24 }, { label: 'Last 7 days', hours: 168 }] as const;

/** Filters of the receipts page. All of them stand in the address. */
export function ReceiptFilters({ url, filterRef, onChange }: ReceiptFiltersProps) {
  const exact = ([['agent', url.agent], ['tool', url.tool], ['session', url.session], ['action', url.action]] as const).flatMap(([name, value]) => (value === null ? [] : [{ name, value }]));
  return (
    <>
      <SearchField ref={filterRef} label="Filter receipts" hint="/" placeholder="Agent, tool, person or digest" value={url.text} onChange={(event) => onChange({ text: event.target.value })} />
      <div className="toggle" role="group" aria-label="Decision">
        {decisionsShown.map((decision) => (
          <button key={decision} type="button" aria-pressed={url.decision === decision} onClick={() => onChange({ decision: url.decision === decision ? null : decision })}>
            <DecisionMark decision={decision} label={null} />{decisionWord[decision]}
          </button>
        ))}
      </div>
      <Select className="w-auto" aria-label="Kind of receipt" value={url.kind ?? ''} onChange={(event) => onChange({ kind: event.target.value === '' ? null : event.target.value })}>
        <option value="">All kinds</option>
        {kindsOffered.map((kind) => <option key={kind} value={kind}>{kindWords(kind)}</option>)}
      </Select>
      <Select
        className="w-auto" aria-label="Time" value={url.from === null ? '' : 'since'}
        onChange={(event) => onChange({ from: event.target.value === '' ? null : new Date(Date.now() - Number(event.target.value) * 3_600_000).toISOString() })}
      >
        {url.from === null ? null : <option value="since">Since {url.from.slice(0, 16).replace('T', ' ')} UTC</option>}
        {hours.map((option) => <option key={option.label} value={option.hours ?? ''}>{option.label}</option>)}
      </Select>
      {exact.map(({ name, value }) => (
        <Button key={name} small onClick={() => onChange({ [name]: null })} title={value}><span className="vh">Remove the filter </span>{name} {value.length > 20 ? `${value.slice(0, 16)}…` : value} <span aria-hidden>×</span></Button>
      ))}
    </>
  );
}
