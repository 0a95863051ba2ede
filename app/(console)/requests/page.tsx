import type { Metadata } from 'next';

import { RequestsScreen } from '@/components/requests/requests-screen';
import { ownQueue } from '@/lib/client/own-queue';
import { queueListQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readDeferrals, readQueue } from '@/lib/server/reads/approvals';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Requests' };

export default async function RequestsPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="requests.view_own" title="Requests" what="requests" whoMay="Everybody whom an owner has added to the signed roster may see their own.">
      <Seeded seeds={[{ key: queueListQuery(ownQueue).queryKey, read: await readQueue(ownQueue) }, { key: queryKeys.deferrals, read: await readDeferrals() }]}>
        <RequestsScreen person={viewer.person} />
      </Seeded>
    </MaySee>
  );
}
