'use client';

import { useTable } from '@tanstack/react-table';
import { useEffect, useRef, type MouseEvent } from 'react';

import { GapRow, Table, Th } from '@/components/ui/table';
import { useVirtualRows } from '@/lib/client/use-virtual-rows';
import type { ReceiptRow } from '@/lib/contracts/console/receipts';

import { receiptColumns, receiptFeatures } from './receipt-columns';

interface ReceiptTableProps {
  /** Stable while nothing changed: the row model is built from it. */
  readonly rows: readonly ReceiptRow[];
  readonly selected: string | null;
  /** Where the keys J and K stand; the selected one when one is open. */
  readonly cursor: string | null;
  /** What scrolls on a desk, once it is there; on narrow screens the page does. */
  readonly pane: HTMLElement | null;
  /** The log goes on below what is loaded. */
  readonly more: boolean;
  readonly onSelect: (id: string) => void;
  /** The last rows loaded are near. */
  readonly onEnd: () => void;
}

const widths: Readonly<Record<string, string | undefined>> = { no: 'width-xs', at: 'width-s', who: 'width-who', decision: 'width-s', approval: 'width-s', paired: 'width-pair', outcome: 'width-s', labels: 'width-l' };
/** Rows left below the screen when more are asked for. */
const ahead = 40;

/** One row a receipt, the newest on top. Only the rows around what is in view are in the document; their numbers tell assistive technology where they stand. */
export function ReceiptTable({ rows, selected, cursor, pane, more, onSelect, onEnd }: ReceiptTableProps) {
  const table = useTable({ features: receiptFeatures, columns: receiptColumns, data: rows, getRowId: ({ id }) => id });
  const model = table.getRowModel().rows;
  const position = model.findIndex(({ id }) => id === cursor);
  const body = useRef<HTMLTableSectionElement>(null);
  const { parts, last, reveal, measure } = useVirtualRows({ count: model.length, keyOf: (index) => model[index]?.id ?? index, pane, body, keep: position });

  // Outside system: the scroll position follows the selection, which keys and links move too.
  const shown = useRef(position);
  useEffect(() => {
    const target = position === -1 ? shown.current : position;
    shown.current = position;
    if (target !== -1) reveal(target);
  }, [position, reveal]);
  // Outside system: the focus. It goes along with J and K, so that Enter opens what is meant and a reader hears where one is.
  useEffect(() => {
    if (cursor === null || selected !== null) return;
    body.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(cursor)}"] a`)?.focus({ preventScroll: true });
  }, [cursor, selected]);
  useEffect(() => {
    if (more && last >= model.length - ahead) onEnd();
  }, [more, last, model.length, onEnd]);

  function select(event: MouseEvent, id: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onSelect(id);
  }
  return (
    <Table caption="Receipts, newest first" variant="ledger" rowCount={more ? -1 : model.length + 1}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers.map((header) => <Th key={header.id} data-col={header.column.id} className={widths[header.column.id]}><table.FlexRender header={header} /></Th>)}
          </tr>
        ))}
      </thead>
      <tbody ref={body}>
        {parts.map((part) => {
          if (part.kind === 'gap') return <GapRow key={part.key} height={part.height} span={receiptColumns.length} />;
          const row = model[part.index];
          return row === undefined ? null : (
            <tr key={row.id} ref={measure} data-index={part.index} data-row={row.id} aria-rowindex={part.index + 2} aria-selected={row.id === selected} data-cursor={row.id === cursor ? '' : undefined} onClick={(event) => select(event, row.id)}>
              {row.getAllCells().map((cell) => <td key={cell.id} data-col={cell.column.id}><table.FlexRender cell={cell} /></td>)}
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
