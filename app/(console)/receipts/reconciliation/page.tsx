import type { Metadata } from 'next';

import { ReconciliationScreen } from '@/components/receipts/reconciliation-screen';
import { reconciliationCountsQuery } from '@/lib/client/receipt-queries';
import { can } from '@/lib/auth/viewer-of';
import { Seeded } from '@/lib/client/seeded';
import { readReconciliationCounts } from '@/lib/server/reads/reconciliation';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Reconciliation' };

export default async function ReconciliationPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="receipts.view" title="Receipts" what="the receipts" whoMay="Owners and auditors may.">
      <Seeded seeds={[{ key: reconciliationCountsQuery().queryKey, read: await readReconciliationCounts() }]}>
        <ReconciliationScreen mayExport={can(viewer, 'receipts.export')} />
      </Seeded>
    </MaySee>
  );
}
