import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import Link from 'next/link';
import type { ReactNode } from 'react';

import { DecisionChip } from '@/components/ui/decision-chip';
import { Pairing } from '@/components/ui/pairing';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { Paired, ReceiptRow } from '@/lib/contracts/console/receipts';

import { decisionOf, kindWords } from './receipt-words';

/** The log's own order is the only one: no sorting, and filters run in the database. */
export const receiptFeatures = tableFeatures({});

const column = createColumnHelper<typeof receiptFeatures, ReceiptRow>();

export const receiptColumns = column.columns([
  column.display({ id: 'no', header: 'No.', cell: ({ row }) => row.original.index.toLocaleString('en') }),
  column.display({ id: 'at', header: 'Time', cell: ({ row }) => <Time at={row.original.at} form="clock" focusable={false} /> }),
  column.display({ id: 'who', header: 'Agent or person', cell: ({ row }) => <Who row={row.original} /> }),
  column.display({ id: 'what', header: 'What', cell: ({ row }) => <What row={row.original} /> }),
  column.display({
    id: 'decision', header: 'Decision', cell: ({ row }) => {
      const decision = decisionOf(row.original);
      return decision === undefined ? null : <DecisionChip decision={decision} />;
    },
  }),
  column.display({ id: 'approval', header: 'Approval', cell: ({ row }) => (row.original.paired === null ? null : approvalWords[row.original.paired.approval]) }),
  column.display({ id: 'paired', header: 'Paired', cell: ({ row }) => (row.original.paired === null ? null : <Pairing {...row.original.paired} />) }),
  column.display({ id: 'outcome', header: 'Outcome', cell: ({ row }) => <Outcome row={row.original} /> }),
  column.display({ id: 'labels', header: 'Labels', cell: ({ row }) => (row.original.labels.length === 0 ? null : <span title={row.original.labels.join(', ')}>{row.original.labels.join(', ')}</span>) }),
]);

const approvalWords: { readonly [A in Paired['approval']]: ReactNode } = { signed: 'Approved', refused: 'Refused', waiting: <span className="t3">Waiting</span>, lapsed: 'Lapsed', not_needed: <span className="t3">–</span> };

function Outcome({ row: { paired, decision } }: { readonly row: ReceiptRow }) {
  if (paired === null) return null;
  if (paired.outcome === 'recorded') return <>Ran{decision === 'MODIFY' ? <> <code className="prime">a′</code></> : null}</>;
  return <span className="t3">{paired.outcome === 'waiting' ? 'Waiting' : 'Not run'}</span>;
}

function Who({ row }: { readonly row: ReceiptRow }) {
  // Who votes, withdraws or administers is the one to name, whichever agent it is about.
  if (row.person !== null) return <UntrustedText text={row.person_name ?? row.person} />;
  return row.agent === null ? <span className="t3">service</span> : <UntrustedText text={row.agent} />;
}

/** The link works by keyboard and in a new tab; the rest of the row is a larger target for the pointer. */
function What({ row }: { readonly row: ReceiptRow }) {
  return (
    <Link href={`/receipts?receipt=${row.id}`} prefetch={false}>
      {row.tool === null ? null : <b>{row.tool}.{row.operation}</b>}
      <span>{kindWords(row.kind)}</span>
      {row.rules.length === 0 ? null : <span className="t3"> by {row.rules.join(', ')}</span>}
      <span className="vh">, receipt {row.index}</span>
    </Link>
  );
}
