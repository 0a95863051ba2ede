import type { MouseEvent } from 'react';
import Link from 'next/link';

import { DecisionChip } from '@/components/ui/decision-chip';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ReceiptRow } from '@/lib/contracts/console/receipts';

import { decisionOf, kindWords } from './receipt-words';

interface ReceiptTableProps {
  readonly rows: readonly ReceiptRow[];
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** One row a receipt, the newest on top. */
export function ReceiptTable({ rows, selected, onSelect }: ReceiptTableProps) {
  return (
    <Table caption="Receipts, newest first" variant="ledger">
      <thead>
        <tr><Th className="width-xs">No.</Th><Th className="width-s">Time</Th><Th className="width-xl">Agent or person</Th><Th>What</Th><Th className="width-m">Decision</Th><Th className="width-l">Labels</Th></tr>
      </thead>
      <tbody>
        {rows.map((row) => <Row key={row.id} row={row} selected={row.id === selected} onSelect={onSelect} />)}
      </tbody>
    </Table>
  );
}

function Row({ row, selected, onSelect }: { readonly row: ReceiptRow; readonly selected: boolean; readonly onSelect: (id: string) => void }) {
  const decision = decisionOf(row);
  // The link works by keyboard and in a new tab; the rest of the row is a larger target for the pointer.
  function select(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(row.id);
  }
  return (
    <tr aria-selected={selected} onClick={select}>
      <td className="no">{row.index.toLocaleString('en')}</td>
      <td><Time at={row.at} form="clock" focusable={false} /></td>
      <td>{row.agent === null ? (row.person === null ? <span className="t3">service</span> : <UntrustedText text={row.person} />) : <UntrustedText text={row.agent} />}</td>
      <td className="op"><Link href={`/receipts?receipt=${row.id}`} prefetch={false}>{row.tool === null ? null : <b>{row.tool}.{row.operation}</b>}<span>{kindWords(row.kind)}</span><span className="vh">, receipt {row.index}</span></Link></td>
      <td>{decision === undefined ? <span className="t3">–</span> : <DecisionChip decision={decision} />}</td>
      <td>{row.labels.length === 0 ? <span className="t3">–</span> : row.labels.join(', ')}</td>
    </tr>
  );
}
