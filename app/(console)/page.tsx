import type { Metadata } from 'next';

import { OverviewScreen } from '@/components/overview/overview-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readOverview } from '@/lib/server/reads/overview';

import { MaySee } from './may-see';
import { requireViewer } from './require-viewer';

export const metadata: Metadata = { title: 'Overview' };

export default async function OverviewPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="overview.view" title="Overview" what="the overview" whoMay="Everybody whom an owner has added to the signed roster may.">
      <Seeded seeds={[{ key: queryKeys.overview, read: await readOverview() }]}>
        <OverviewScreen seesAgents={can(viewer, ['agents.manage', 'roster.view'])} seesApprovals={can(viewer, ['approvals.view_routed', 'approvals.view_all'])} />
      </Seeded>
    </MaySee>
  );
}
