import type { Metadata } from 'next';

import { TrustScreen } from '@/components/trust/trust-screen';
import { can } from '@/lib/auth/viewer-of';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readTrust } from '@/lib/server/reads/trust';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Trust' };

export default async function TrustPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission={['roster.view', 'trust_root.sign']} title="Trust" what="the trust root" whoMay="Owners, admins and auditors may.">
      <Seeded seeds={[{ key: queryKeys.trust, read: await readTrust() }]}>
        <TrustScreen person={viewer.person} maySign={can(viewer, 'trust_root.sign')} />
      </Seeded>
    </MaySee>
  );
}
