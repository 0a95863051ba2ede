import type { Metadata } from 'next';

import { DeferralsScreen } from '@/components/deferrals/deferrals-screen';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readDeferrals } from '@/lib/server/reads/approvals';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Deferred' };

export default async function DeferralsPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission={['approvals.view_routed', 'approvals.view_all']} title="Deferred" what="deferred actions" whoMay="Approvers, owners and auditors may. What waits on your behalf is under Requests.">
      <Seeded seeds={[{ key: queryKeys.deferrals, read: await readDeferrals() }]}>
        <DeferralsScreen person={viewer.person} />
      </Seeded>
    </MaySee>
  );
}
