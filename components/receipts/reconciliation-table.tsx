'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { MouseEvent } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Table, Th } from '@/components/ui/table';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { shownFault } from '@/lib/client/parse-answer';
import { reconciliationListQuery } from '@/lib/client/receipt-queries';
import type { ReconciliationItem, ReconciliationList } from '@/lib/contracts/console/reconciliation';
import { errorCodes } from '@/lib/shared/error-codes';

import { reconciliationWords } from './reconciliation-words';

interface ReconciliationTableProps {
  readonly list: ReconciliationList;
  readonly selected: string | null;
  readonly onOpen: (receipt: string) => void;
}

/** One list, latest first, a page at a time. */
export function ReconciliationTable({ list, selected, onOpen }: ReconciliationTableProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(reconciliationListQuery(list));
  if (data === undefined) {
    return error === null ? <LoadingRows what="the list" rows={10} />
      : <ErrorState title="The list could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>;
  }
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <EmptyState title={reconciliationWords[list].none}>This is what the log says now. It is kept up to date while you look.</EmptyState>;
  const last = list === 'outcome_missing' ? 'Due' : list === 'redemption_refused' ? 'Why' : null;
  return (
    <>
      <Table caption={reconciliationWords[list].title} variant="ledger" className="recon">
        <thead><tr><Th className="width-xs">No.</Th><Th className="width-l">{list === 'redemption_refused' ? 'When' : 'Since'}</Th><Th className="width-xl">Agent</Th><Th>Action</Th>{last === null ? null : <Th className="width-2xl">{last}</Th>}</tr></thead>
        <tbody>{items.map((item) => <Row key={`${item.receipt} ${item.action}`} item={item} list={list} selected={item.receipt === selected} onOpen={onOpen} />)}</tbody>
      </Table>
      <div className="flex items-center gap-3 list-end">
        {error === null ? null : <span className="meta" role="status">{shownFault(error).detail} ({shownFault(error).code})</span>}
        {hasNextPage ? <Button small offBecause={isFetchingNextPage ? 'Reading' : undefined} onClick={() => void fetchNextPage()}>Older</Button> : <span className="meta">There is nothing older.</span>}
      </div>
    </>
  );
}

function Row({ item, list, selected, onOpen }: { readonly item: ReconciliationItem; readonly list: ReconciliationList; readonly selected: boolean; readonly onOpen: (receipt: string) => void }) {
  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(item.receipt);
  }
  return (
    <tr aria-selected={selected} onClick={open}>
      <td data-col="no">{item.index.toLocaleString('en')}</td>
      <td data-col="at"><Time at={item.at} form="date" focusable={false} /></td>
      <td data-col="who">{item.agent === null ? '–' : <UntrustedText text={item.agent} />}</td>
      <td data-col="what"><Link href={`/receipts?receipt=${item.receipt}`} prefetch={false}>{item.tool === null ? <span>{item.action}</span> : <b>{item.tool}.{item.operation}</b>}<span className="vh">, receipt {item.index}</span></Link></td>
      {list === 'outcome_missing' ? <td data-col="due" className={item.overdue ? 'bad' : undefined}>{item.due_at === null ? '–' : <><Time at={item.due_at} form="clock" focusable={false} />{item.overdue ? ', overdue' : ''}</>}</td> : null}
      {list === 'redemption_refused' ? <td data-col="why">{item.code === null ? <span className="bad">The receipt cannot be read</span> : errorCodes[item.code].title}</td> : null}
    </tr>
  );
}
