import { allowedKeyKinds } from '@/lib/authority/key-kinds';
import { personById } from '@/lib/authority/roster-lookup';
import type { EnrolmentView, OwnKeysView } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';

import type { ConsoleParts } from '../console-parts';
import { enrolmentOf } from '../read-enrolment';

/** The viewer's own keys: enrolled, waiting, and which kinds may sign what. */
export async function ownKeysView(parts: ConsoleParts, viewer: Viewer): Promise<OwnKeysView> {
  const [{ root, roster }, waiting] = await Promise.all([parts.inForce.current(), parts.people.enrolments('waiting')]);
  const kinds = (impact: 'low' | 'medium' | 'high' | 'critical') => (root ? allowedKeyKinds(root.root, impact) : []);
  return {
    workspace: parts.workspace,
    enrolled: (roster && personById(roster.roster, viewer.person)?.keys) ?? [],
    waiting: waiting.filter(({ person }) => person === viewer.person).map(({ key, created_at }) => ({ key, created_at })),
    may_sign: { low: kinds('low'), medium: kinds('medium'), high: kinds('high'), critical: kinds('critical') },
  };
}

/** Keys that wait for an owner's countersignature. */
export async function enrolmentsView(parts: ConsoleParts): Promise<{ readonly enrolments: readonly EnrolmentView[] }> {
  const [rows, people] = await Promise.all([parts.people.enrolments('waiting'), parts.people.list()]);
  return {
    enrolments: rows.flatMap(({ id, person, envelope, created_at }) => {
      const enrolment = enrolmentOf(envelope);
      const who = people.find((one) => one.id === person);
      return enrolment && who ? [{ id, person, name: who.name, email: who.email, key: enrolment.key, envelope, created_at }] : [];
    }),
  };
}
