import type { Metadata } from 'next';
import type { SearchParams } from 'nuqs/server';

import { ApprovalsScreen } from '@/components/approvals/approvals-screen';
import { loadApprovalsUrl, queueQueryOf } from '@/lib/client/approvals-url';
import { approvalDetailQuery, queueListQuery } from '@/lib/client/queries';
import { Seeded, type Seed } from '@/lib/client/seeded';
import { isId } from '@/lib/shared/ids';
import { readApproval, readQueue } from '@/lib/server/reads/approvals';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Approvals' };

export default async function ApprovalsPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const viewer = await requireViewer();
  const url = await loadApprovalsUrl(searchParams);
  const query = queueQueryOf(url);
  const queue = await readQueue(query);
  const id = url.item ?? (queue.ok ? queue.value.items[0]?.id : undefined);
  const seeds: Seed[] = [{ key: queueListQuery(query).queryKey, read: queue }];
  if (id !== undefined && isId('approval', id)) seeds.push({ key: approvalDetailQuery(id).queryKey, read: await readApproval({ id }) });
  return (
    <MaySee viewer={viewer} permission={['approvals.view_routed', 'approvals.view_all']} title="Approvals" what="held actions" whoMay="Approvers, owners and auditors may. What is held on your behalf is under Requests.">
      <Seeded seeds={seeds}>
        <ApprovalsScreen viewer={{ person: viewer.person, readsReceipts: viewer.permissions.includes('receipts.view') }} />
      </Seeded>
    </MaySee>
  );
}
