'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Select } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import { LoadingRows } from '@/components/ui/pane-states';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { VerifierLink } from '@/lib/client/verifier-link';
import { lineFilters, type LineFilter, type ShownLine } from '@/lib/client/verify-messages';
import type { CheckState } from '@/lib/verify/report';

import { decisionKind } from './decision-of';
import { Pager } from './pager';
import { pageLength, useAsked } from './use-page';
import { kindWords } from './verdict-words';

const filterWords: { readonly [F in LineFilter]: string } = { all: 'All receipts', not_passed: 'Not passed', decisions: 'Decisions', votes: 'Votes' };
const icons: { readonly [S in CheckState]: 'check' | 'cross' | 'dash' } = { pass: 'check', fail: 'cross', unknown: 'dash' };
const words: { readonly [S in CheckState]: string } = { pass: 'Holds', fail: 'Fails', unknown: 'Open' };

export interface ListProps {
  readonly link: VerifierLink;
  readonly run: number;
  readonly selected: number | null;
  readonly onSelect: (index: number | null) => void;
}

/** Every receipt of the file with what the checks say of it. */
export function ReceiptsList({ link, run, selected, onSelect }: ListProps) {
  const [show, setShow] = useState<LineFilter>('all');
  const [from, setFrom] = useState(0);
  const { data } = useAsked<'lines'>(link, run, { kind: 'lines', from, count: pageLength, show });
  const lines = data?.lines ?? [];
  const move = (by: number) => {
    const at = lines.findIndex(({ index }) => index === selected);
    const next = lines[at === -1 ? 0 : at + by];
    if (next) onSelect(next.index);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), Escape: () => onSelect(null) });
  return (
    <div className="browse-list">
      <div className="browse-h">
        <label className="pick-line">Show <Select value={show} onChange={(event) => { setShow(lineFilters.find((known) => known === event.target.value) ?? 'all'); setFrom(0); }}>{lineFilters.map((filter) => <option key={filter} value={filter}>{filterWords[filter]}</option>)}</Select></label>
        <GoTo onGo={onSelect} />
        <Pager from={from} total={data?.total ?? 0} what="receipts" onFrom={setFrom} />
      </div>
      {data === undefined ? <LoadingRows what="receipts" rows={10} /> : (
        <div className="scroll-x">
          <Table caption="Receipts in log order" variant="ledger" className="receipts-found" rowCount={data.total + 1}>
            <thead><tr><Th className="width-xs">No.</Th><Th className="width-s">Time</Th><Th className="width-xl">Who</Th><Th>What</Th><Th className="width-m">Decision</Th><Th className="width-s">Verdict</Th></tr></thead>
            <tbody>{lines.map((line) => <Row key={line.index} line={line} selected={line.index === selected} onSelect={onSelect} />)}</tbody>
          </Table>
        </div>
      )}
    </div>
  );
}

function Row({ line, selected, onSelect }: { readonly line: ShownLine; readonly selected: boolean; readonly onSelect: (index: number) => void }) {
  const decision = decisionKind(line.decision);
  return (
    <tr aria-selected={selected} onClick={() => onSelect(line.index)}>
      <td data-col="no">{line.index.toLocaleString('en')}</td>
      <td data-col="at">{line.at === null ? '–' : <Time at={line.at} form="clock" focusable={false} />}</td>
      <td data-col="who">{line.who === null ? <span className="t3">–</span> : <UntrustedText text={line.who} />}</td>
      <td data-col="what">
        <button type="button" className="row-link" onClick={(event) => { event.stopPropagation(); onSelect(line.index); }}>
          <span className="vh">Receipt {line.index}, </span>{line.operation === null ? null : <b><UntrustedText text={line.operation} /></b>}<span>{line.kind === null ? 'Cannot be read' : kindWords(line.kind)}{line.note === null || decision !== undefined ? null : <>, <UntrustedText text={line.note.replaceAll('_', ' ')} /></>}</span>
        </button>
      </td>
      <td data-col="decision">{decision === undefined ? <span className="t3">–</span> : <DecisionChip decision={decision} />}</td>
      <td data-col="verdict" data-state={line.state}><Icon name={icons[line.state]} small /> {words[line.state]}</td>
    </tr>
  );
}

function GoTo({ onGo }: { readonly onGo: (index: number) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form className="pick-line" onSubmit={(event) => { event.preventDefault(); if (/^\d+$/.test(typed)) onGo(Number(typed)); }}>
      <label htmlFor="go-to">Receipt</label>
      <input id="go-to" className="input num" inputMode="numeric" pattern="[0-9]*" size={8} value={typed} onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))} />
      <Button small type="submit">Open</Button>
    </form>
  );
}
