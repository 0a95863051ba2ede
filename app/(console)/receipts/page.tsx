import type { Metadata } from 'next';
import type { SearchParams } from 'nuqs/server';

import { ReceiptsScreen } from '@/components/receipts/receipts-screen';
import { receiptPageQuery } from '@/lib/client/queries';
import { savedViewsQuery } from '@/lib/client/receipt-queries';
import { loadReceiptsUrl, receiptsQueryOf } from '@/lib/client/receipts-url';
import { Seeded } from '@/lib/client/seeded';
import { can } from '@/lib/auth/viewer-of';
import { readReceipts } from '@/lib/server/reads/receipts';
import { readSavedViews } from '@/lib/server/reads/saved-views';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Receipts' };

export default async function ReceiptsPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const viewer = await requireViewer();
  const query = receiptsQueryOf(await loadReceiptsUrl(searchParams));
  const [receipts, views] = await Promise.all([readReceipts(query), readSavedViews()]);
  return (
    <MaySee viewer={viewer} permission="receipts.view" title="Receipts" what="the receipts" whoMay="Owners and auditors may.">
      <Seeded seeds={[{ key: receiptPageQuery(query).queryKey, read: receipts }, { key: savedViewsQuery().queryKey, read: views }]}>
        <ReceiptsScreen mayExport={can(viewer, 'receipts.export')} />
      </Seeded>
    </MaySee>
  );
}
