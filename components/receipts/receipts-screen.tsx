'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';

import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { DrawerLayout } from '@/components/layout/drawer-layout';
import { shownFault } from '@/lib/client/parse-answer';
import { receiptPageQuery } from '@/lib/client/queries';
import { filtersOf, noFilters, pageLimit, receiptsQueryOf, receiptsUrl, urlOfFilters, type ReceiptsUrlState } from '@/lib/client/receipts-url';
import { searchText } from '@/lib/client/search-text';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import { useSteadyList } from '@/lib/client/use-steady-list';

import { ExportMenu } from './export-menu';
import { ListCount } from './list-count';
import { NoReceipts } from './no-receipts';
import { OlderReceipts } from './older-receipts';
import { ReceiptDrawer } from './receipt-drawer';
import { ReceiptFilters } from './receipt-filters';
import { ReceiptTable } from './receipt-table';
import { ReceiptTabs } from './receipt-tabs';
import { useReceiptRows } from './use-receipt-rows';
import { ViewsMenu } from './views-menu';

/** Receipts, newest first, as far back as one scrolls, and one of them in full. */
export function ReceiptsScreen({ mayExport }: { readonly mayExport: boolean }) {
  const [url, setUrl] = useQueryStates(receiptsUrl, { history: 'push' });
  const filter = useRef<HTMLInputElement>(null);
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const [cursor, setCursor] = useState<string | null>(null);
  const query = receiptsQueryOf(url);
  const filters = filtersOf(url);
  const { data, error, isPlaceholderData, refetch } = useQuery(receiptPageQuery(query));
  const list = useSteadyList(isPlaceholderData ? undefined : data?.items, searchText(query));
  const { rows, older } = useReceiptRows(query, list.rows, data?.items);
  const at = url.receipt ?? cursor;

  const change = (part: Partial<ReceiptsUrlState>) => void setUrl(part);
  function open(receipt: string) {
    setCursor(receipt);
    // Going on to the next of an open one is no step of its own: back closes it.
    void setUrl({ receipt }, { history: url.receipt === null ? 'push' : 'replace' });
  }
  function close() {
    setCursor(url.receipt);
    void setUrl({ receipt: null }, { history: 'replace' });
  }
  function move(step: 1 | -1) {
    const ids = (rows ?? []).map(({ id }) => id);
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.findIndex((id) => id === at) + step))];
    if (next === undefined) return;
    if (url.receipt === null) setCursor(next);
    else open(next);
  }
  function showNew() {
    list.accept();
    pane?.scrollTo({ top: 0 });
  }
  useShortcuts({
    '/': () => filter.current?.focus(), j: () => move(1), k: () => move(-1), n: showNew,
    Enter: () => { if (at !== null) open(at); }, Escape: () => { if (url.receipt !== null) close(); },
  });

  return (
    <DrawerLayout
      title="Receipts"
      tabs={<ReceiptTabs current="receipts" />}
      aside={(
        <>
          {data === undefined ? null : <ListCount view={data} filters={filters} loaded={rows?.length ?? 0} />}
          {list.arrived === 0 ? null : <Button small hint="N" onClick={showNew}>{list.arrived >= pageLimit ? `${pageLimit}+` : list.arrived} new</Button>}
          <ViewsMenu filters={filters} onOpen={(view) => change(urlOfFilters(view))} />
          {mayExport ? <ExportMenu filters={filters} matching={data?.matching ?? null} /> : null}
        </>
      )}
      filters={<ReceiptFilters url={url} filterRef={filter} onChange={change} />}
      label="Receipts, newest first"
      listRef={setPane}
      drawer={url.receipt === null ? undefined : <ReceiptDrawer key={url.receipt} id={url.receipt} mayExport={mayExport} onClose={close} onOpen={open} onFilter={(part) => void setUrl({ ...noFilters, ...part })} />}
    >
      {error === null ? null : <ErrorState title="The receipts could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail} What is shown may be old.</ErrorState>}
      {rows === null ? (error === null ? <LoadingRows what="receipts" rows={14} /> : null) : rows.length === 0
        ? <NoReceipts filters={filters} size={data?.size ?? 0} onClear={() => change(noFilters)} onWithout={(name) => change({ [name]: null })} />
        : (
          <>
            <ReceiptTable rows={rows} selected={url.receipt} cursor={at} pane={pane} more={older.more} onSelect={open} onEnd={older.load} />
            <OlderReceipts older={older} />
          </>
        )}
    </DrawerLayout>
  );
}
