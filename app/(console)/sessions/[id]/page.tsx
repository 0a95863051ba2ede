import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

import { SessionScreen } from '@/components/sessions/session-screen';
import { queryKeys } from '@/lib/client/query-keys';
import { Seeded } from '@/lib/client/seeded';
import { isId } from '@/lib/shared/ids';
import { readSessionLabels } from '@/lib/server/reads/labels';
import { readSession } from '@/lib/server/reads/receipts';

import { MaySee } from '../../may-see';
import { requireViewer } from '../../require-viewer';

export const metadata: Metadata = { title: 'Session' };

export default async function SessionPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  const viewer = await requireViewer();
  const { id } = await params;
  if (!isId('session', id)) notFound();
  const [session, labels] = await Promise.all([readSession({ id }), readSessionLabels({ id })]);
  if (!session.ok && session.error.code === 'not_found') notFound();
  return (
    <MaySee viewer={viewer} permission="receipts.view" title="Session" what="sessions" whoMay="Owners and auditors may.">
      <Seeded seeds={[{ key: queryKeys.session(id), read: session }, { key: queryKeys.sessionLabels(id), read: labels }]}>
        <SessionScreen id={id} person={viewer.person} />
      </Seeded>
    </MaySee>
  );
}
