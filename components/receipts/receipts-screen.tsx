'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { DrawerLayout } from '@/components/layout/drawer-layout';
import { shownFault } from '@/lib/client/parse-answer';
import { receiptPageQuery } from '@/lib/client/queries';
import { receiptsQueryOf, receiptsUrl } from '@/lib/client/receipts-url';
import { searchText } from '@/lib/client/search-text';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import { useSteadyList } from '@/lib/client/use-steady-list';

import { ExportMenu } from './export-menu';
import { ReceiptDrawer } from './receipt-drawer';
import { ReceiptFilters } from './receipt-filters';
import { ReceiptTable } from './receipt-table';

/** Receipts by page, newest first, and one of them in full. */
export function ReceiptsScreen({ mayExport }: { readonly mayExport: boolean }) {
  const [url, setUrl] = useQueryStates(receiptsUrl, { history: 'replace' });
  const filter = useRef<HTMLInputElement>(null);
  const query = receiptsQueryOf(url);
  const { data, error, isPlaceholderData, refetch } = useQuery(receiptPageQuery(query));
  const list = useSteadyList(isPlaceholderData ? undefined : data?.items, searchText(query));
  // While the next page is read the one before stays, so that the table does not jump.
  const rows = list.rows?.map(({ item }) => item) ?? data?.items ?? null;
  const filtered = Object.keys(query).some((name) => name !== 'limit' && name !== 'before');
  const clear = () => void setUrl({ decision: null, kind: null, agent: null, tool: null, session: null, action: null, from: null, text: '', before: null });

  function move(step: 1 | -1) {
    const ids = (rows ?? []).map(({ id }) => id);
    const next = ids[Math.min(ids.length - 1, Math.max(0, ids.findIndex((id) => id === url.receipt) + step))];
    if (next !== undefined) void setUrl({ receipt: next });
  }
  useShortcuts({ '/': () => filter.current?.focus(), j: () => move(1), k: () => move(-1), n: list.accept });

  return (
    <DrawerLayout
      title="Receipts"
      aside={data === undefined ? undefined : <>{(rows ?? []).length.toLocaleString('en')} shown of {data.size.toLocaleString('en')} in the log{filtered ? ', filtered' : ''}{list.arrived === 0 || url.before !== null ? null : <> <Button small hint="N" onClick={list.accept}>{list.arrived} new</Button></>}</>}
      filters={<><ReceiptFilters url={url} filterRef={filter} onChange={(part) => void setUrl({ ...part, before: null })} />{mayExport ? <ExportMenu session={url.session} /> : null}</>}
      label="Receipts, newest first"
      drawer={url.receipt === null ? undefined : <ReceiptDrawer key={url.receipt} id={url.receipt} onClose={() => void setUrl({ receipt: null })} onOpen={(receipt) => void setUrl({ receipt })} />}
    >
      {error === null ? null : <ErrorState title="The receipts could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail} What is shown may be old.</ErrorState>}
      {rows === null ? (error === null ? <LoadingRows what="receipts" rows={14} /> : null) : rows.length === 0 ? (
        filtered
          ? <EmptyState title="No receipt matches." action={<Button small onClick={clear}>Clear the filters</Button>}>{(data?.size ?? 0).toLocaleString('en')} are in the log.</EmptyState>
          : <EmptyState title="The log is empty.">The first receipt is written when the first owner signs the trust root.</EmptyState>
      ) : (
        <>
          <ReceiptTable rows={rows} selected={url.receipt} onSelect={(receipt) => void setUrl({ receipt })} />
          <nav className="flex gap-2 p-4" aria-label="Pages">
            {url.before === null ? null : <Button small onClick={() => void setUrl({ before: null })}>Newest</Button>}
            {data === undefined || data.next === null ? null : <Button small onClick={() => void setUrl({ before: data.next })}>Older</Button>}
          </nav>
        </>
      )}
    </DrawerLayout>
  );
}
