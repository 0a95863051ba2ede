import { createColumnHelper, tableFeatures } from '@tanstack/react-table';
import Link from 'next/link';

import { DecisionChip } from '@/components/ui/decision-chip';
import { Pairing } from '@/components/ui/pairing';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { ReceiptRow } from '@/lib/contracts/console/receipts';

import { decisionOf, kindWords } from './receipt-words';

/** The log's own order is the only one: no sorting, and filters run in the database. */
export const receiptFeatures = tableFeatures({});

const column = createColumnHelper<typeof receiptFeatures, ReceiptRow>();
const none = <span className="t3">–</span>;

export const receiptColumns = column.columns([
  column.display({ id: 'no', header: 'No.', cell: ({ row }) => row.original.index.toLocaleString('en') }),
  column.display({ id: 'at', header: 'Time', cell: ({ row }) => <Time at={row.original.at} form="clock" focusable={false} /> }),
  column.display({ id: 'who', header: 'Agent or person', cell: ({ row }) => <Who row={row.original} /> }),
  column.display({ id: 'what', header: 'What', cell: ({ row }) => <What row={row.original} /> }),
  column.display({
    id: 'decision', header: 'Decision', cell: ({ row }) => {
      const decision = decisionOf(row.original);
      return decision === undefined ? none : <DecisionChip decision={decision} />;
    },
  }),
  column.display({ id: 'paired', header: 'Paired', cell: ({ row }) => (row.original.paired === null ? none : <Pairing {...row.original.paired} />) }),
  column.display({ id: 'labels', header: 'Labels', cell: ({ row }) => (row.original.labels.length === 0 ? none : row.original.labels.join(', ')) }),
]);

function Who({ row }: { readonly row: ReceiptRow }) {
  if (row.agent !== null) return <UntrustedText text={row.agent} />;
  if (row.person === null) return <span className="t3">service</span>;
  return <UntrustedText text={row.person_name ?? row.person} />;
}

/** The link works by keyboard and in a new tab; the rest of the row is a larger target for the pointer. */
function What({ row }: { readonly row: ReceiptRow }) {
  return (
    <Link href={`/receipts?receipt=${row.id}`} prefetch={false}>
      {row.tool === null ? null : <b>{row.tool}.{row.operation}</b>}
      <span>{kindWords(row.kind)}</span>
      <span className="vh">, receipt {row.index}</span>
    </Link>
  );
}
