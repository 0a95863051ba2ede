'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { createSerializer, useQueryStates } from 'nuqs';

import { DrawerLayout } from '@/components/layout/drawer-layout';
import { reconciliationCountsQuery } from '@/lib/client/receipt-queries';
import { reconciliationShown, reconciliationUrl } from '@/lib/client/reconciliation-url';
import { noFilters, receiptsUrl, type ReceiptsUrlState } from '@/lib/client/receipts-url';
import { useShortcuts } from '@/lib/client/use-shortcuts';

import { countWords } from './filter-words';
import { LogGaps } from './log-gaps';
import { ReceiptDrawer } from './receipt-drawer';
import { ReceiptTabs } from './receipt-tabs';
import { ReconciliationTable } from './reconciliation-table';
import { reconciliationWords } from './reconciliation-words';

const serialize = createSerializer(receiptsUrl);

/** What should have come and did not: each list with its count, and the receipt that tells of it. */
export function ReconciliationScreen({ mayExport }: { readonly mayExport: boolean }) {
  const [url, setUrl] = useQueryStates(reconciliationUrl, { history: 'push' });
  const router = useRouter();
  const { data: counts } = useQuery(reconciliationCountsQuery());
  const words = reconciliationWords[url.list];
  const open = (receipt: string) => void setUrl({ receipt }, { history: url.receipt === null ? 'push' : 'replace' });
  const close = () => void setUrl({ receipt: null }, { history: 'replace' });
  const filter = (part: Partial<ReceiptsUrlState>) => router.push(serialize('/receipts', { ...noFilters, ...part }));
  useShortcuts({ Escape: () => { if (url.receipt !== null) close(); } });
  return (
    <DrawerLayout
      title="Receipts"
      tabs={<ReceiptTabs current="reconciliation" />}
      filters={(
        <nav className="lists" aria-label="What did not come">
          {reconciliationShown.map((list) => (
            <Link key={list} href={`/receipts/reconciliation?list=${list}`} prefetch={false} aria-current={url.list === list ? 'page' : undefined}>
              {reconciliationWords[list].title}
              {list === 'gaps' || counts === undefined ? null : <span className="n" data-some={counts[list].value > 0 ? '' : undefined}>{countWords(counts[list])}</span>}
            </Link>
          ))}
        </nav>
      )}
      label={words.title}
      drawer={url.receipt === null ? undefined : <ReceiptDrawer key={url.receipt} id={url.receipt} mayExport={mayExport} onClose={close} onOpen={open} onFilter={filter} />}
    >
      <p className="meta2 list-means">{words.means}</p>
      {url.list === 'gaps' ? <LogGaps /> : <ReconciliationTable key={url.list} list={url.list} selected={url.receipt} onOpen={open} />}
    </DrawerLayout>
  );
}
