import type { Metadata } from 'next';

import { GuardDirectoriesScreen } from '@/components/guard-directories/guard-directories-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readGuardDirectories } from '@/lib/server/reads/guard-directories';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Guard directories' };

export default async function GuardDirectoriesPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="policy.view" title="Guard directories" what="guard directories" whoMay="Owners, admins, approvers and auditors may.">
      <Seeded seeds={[{ key: queryKeys.guardDirectories, read: await readGuardDirectories() }]}>
        <GuardDirectoriesScreen person={viewer.person} maySign={can(viewer, 'policy.sign')} />
      </Seeded>
    </MaySee>
  );
}
