import type { Metadata } from 'next';

import { RecoverScreen } from '@/components/trust/recover/recover-screen';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { readTrust } from '@/lib/server/reads/trust';

import { MaySee } from '../../../may-see';
import { requireViewer } from '../../../require-viewer';

export const metadata: Metadata = { title: 'Recover' };

export default async function RecoverPage() {
  const viewer = await requireViewer();
  return (
    <MaySee viewer={viewer} permission="trust_root.sign" title="Recover" what="how owners’ keys are replaced" whoMay="Owners may, with their password and the recovery key. Without an owner’s password it is done on the console’s host: countersign trust recover.">
      <Seeded seeds={[{ key: queryKeys.trust, read: await readTrust() }]}>
        <RecoverScreen viewer={viewer} />
      </Seeded>
    </MaySee>
  );
}
