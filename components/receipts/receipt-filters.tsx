'use client';

import type { RefObject } from 'react';

import { DecisionMark } from '@/components/ui/decision-mark';
import { decisionWord } from '@/components/ui/decision-kind';
import { Select } from '@/components/ui/field';
import { SearchField } from '@/components/ui/search-field';
import { decisionsShown, filtersOf, type ReceiptsUrlState } from '@/lib/client/receipts-url';
import { spans } from '@/lib/contracts/console/receipt-filters';

import { FilterChips } from './filter-chips';
import { FilterDialog } from './filter-dialog';
import { spanWords } from './filter-words';
import { kindsOffered, kindWords } from './receipt-words';
import { useTyped } from './use-typed';

interface ReceiptFiltersProps {
  readonly url: ReceiptsUrlState;
  readonly filterRef: RefObject<HTMLInputElement | null>;
  readonly onChange: (part: Partial<ReceiptsUrlState>) => void;
}

/** Filters of the receipts page. All of them stand in the address, and those that are on below as chips that take them away. */
export function ReceiptFilters({ url, filterRef, onChange }: ReceiptFiltersProps) {
  const typing = useTyped(url.text ?? '', (text) => onChange({ text: text === '' ? null : text }));
  const chosen = url.from !== null || url.to !== null;
  return (
    <>
      <SearchField
        ref={filterRef} label="Filter receipts" hint="/" placeholder="Agent, tool, person or id" value={typing.text} onChange={(event) => typing.type(event.target.value)}
        onKeyDown={(event) => { if (event.key === 'Enter') typing.commit(); if (event.key === 'Escape') event.currentTarget.blur(); }}
      />
      <div className="toggle" role="group" aria-label="Decision">
        {decisionsShown.map((decision) => (
          <button key={decision} type="button" aria-pressed={url.decision === decision} onClick={() => onChange({ decision: url.decision === decision ? null : decision })}>
            <DecisionMark decision={decision} label={null} />{decisionWord[decision]}
          </button>
        ))}
      </div>
      <Select
        className="pick-time" aria-label="Time" value={chosen ? 'chosen' : url.span ?? ''}
        onChange={(event) => onChange({ span: spans.find((span) => span === event.target.value) ?? null, from: null, to: null })}
      >
        <option value="">Any time</option>
        {spans.map((span) => <option key={span} value={span}>{spanWords[span]}</option>)}
        {chosen ? <option value="chosen">A chosen time</option> : null}
      </Select>
      <Select className="pick-kind" aria-label="Kind of receipt" value={url.kind ?? ''} onChange={(event) => onChange({ kind: event.target.value === '' ? null : event.target.value })}>
        <option value="">All kinds</option>
        {kindsOffered.map((kind) => <option key={kind} value={kind}>{kindWords(kind)}</option>)}
      </Select>
      <FilterDialog url={url} onChange={onChange} />
      <FilterChips filters={filtersOf(url)} onChange={onChange} />
    </>
  );
}
