'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { DrawerLayout } from '@/components/layout/drawer-layout';
import { shownFault } from '@/lib/client/parse-answer';
import { receiptPageQuery } from '@/lib/client/queries';
import { pageLimit, receiptsQueryOf, receiptsUrl } from '@/lib/client/receipts-url';
import { searchText } from '@/lib/client/search-text';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import { useSteadyList } from '@/lib/client/use-steady-list';

import { ExportMenu } from './export-menu';
import { OlderReceipts } from './older-receipts';
import { ReceiptDrawer } from './receipt-drawer';
import { ReceiptFilters } from './receipt-filters';
import { ReceiptTable } from './receipt-table';
import { useReceiptRows } from './use-receipt-rows';

/** Receipts, newest first, as far back as one scrolls, and one of them in full. */
export function ReceiptsScreen({ mayExport }: { readonly mayExport: boolean }) {
  const [url, setUrl] = useQueryStates(receiptsUrl, { history: 'replace' });
  const filter = useRef<HTMLInputElement>(null);
  const [pane, setPane] = useState<HTMLDivElement | null>(null);
  const query = receiptsQueryOf(url);
  const { data, error, isPlaceholderData, refetch } = useQuery(receiptPageQuery(query));
  const list = useSteadyList(isPlaceholderData ? undefined : data?.items, searchText(query));
  const { rows, older } = useReceiptRows(query, list.rows, data?.items);
  const filtered = Object.keys(query).some((name) => name !== 'limit');
  const clear = () => void setUrl({ decision: null, kind: null, agent: null, tool: null, session: null, action: null, from: null, text: '' });

  function move(step: 1 | -1) {
    const ids = (rows ?? []).map(({ id }) => id);
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.findIndex((id) => id === url.receipt) + step))];
    if (next !== undefined) void setUrl({ receipt: next });
  }
  function showNew() {
    list.accept();
    pane?.scrollTo({ top: 0 });
  }
  useShortcuts({ '/': () => filter.current?.focus(), j: () => move(1), k: () => move(-1), n: showNew });

  const exporting = mayExport ? <> <ExportMenu session={url.session} /></> : undefined;

  return (
    <DrawerLayout
      title="Receipts"
      aside={data === undefined ? exporting : <>{(rows ?? []).length.toLocaleString('en')} loaded of {data.size.toLocaleString('en')} in the log{filtered ? ', filtered' : ''}{list.arrived === 0 ? null : <> <Button small hint="N" onClick={showNew}>{list.arrived >= pageLimit ? `${pageLimit}+` : list.arrived} new</Button></>}{exporting}</>}
      filters={<ReceiptFilters url={url} filterRef={filter} onChange={(part) => void setUrl(part)} />}
      label="Receipts, newest first"
      listRef={setPane}
      drawer={url.receipt === null ? undefined : <ReceiptDrawer key={url.receipt} id={url.receipt} onClose={() => void setUrl({ receipt: null })} onOpen={(receipt) => void setUrl({ receipt })} />}
    >
      {error === null ? null : <ErrorState title="The receipts could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail} What is shown may be old.</ErrorState>}
      {rows === null ? (error === null ? <LoadingRows what="receipts" rows={14} /> : null) : rows.length === 0 ? (
        filtered
          ? <EmptyState title="No receipt matches." action={<Button small onClick={clear}>Clear the filters</Button>}>{(data?.size ?? 0).toLocaleString('en')} are in the log.</EmptyState>
          : <EmptyState title="The log is empty.">The first receipt is written when the first owner signs the trust root.</EmptyState>
      ) : (
        <>
          <ReceiptTable rows={rows} selected={url.receipt} pane={pane} more={older.more} onSelect={(receipt) => void setUrl({ receipt })} onEnd={older.load} />
          <OlderReceipts older={older} />
        </>
      )}
    </DrawerLayout>
  );
}
