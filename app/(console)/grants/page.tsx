import type { Metadata } from 'next';

import { GrantsScreen } from '@/components/grants/grants-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readGrants } from '@/lib/server/reads/grants';

import { MaySee } from '../may-see';
import { requireViewer } from '../require-viewer';

export const metadata: Metadata = { title: 'Grants' };

export default async function GrantsPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="policy.view" title="Grants" what="the grants" whoMay="Owners, admins, approvers and auditors may.">
      <Seeded seeds={[{ key: queryKeys.grants, read: await readGrants() }]}>
        <GrantsScreen person={viewer.person} mayIssue={can(viewer, 'grants.issue')} mayRevoke={can(viewer, 'grants.revoke')} />
      </Seeded>
    </MaySee>
  );
}
