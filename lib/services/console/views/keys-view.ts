import { personById } from '@/lib/authority/roster-lookup';
import type { KeyKindRules } from '@/lib/authority/trust-root';
import type { EnrolmentView, OwnKeysView } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';

import type { ConsoleParts } from '../console-parts';
import { enrolmentOf } from '../read-enrolment';

/** The viewer's own keys: enrolled, an owner's, waiting, what they are called, and which kinds may sign what. */
export async function ownKeysView(parts: ConsoleParts, viewer: Viewer): Promise<OwnKeysView> {
  const [{ root, roster }, rows, labels] = await Promise.all([parts.inForce.current(), parts.people.enrolments('waiting'), parts.people.keyLabels(viewer.person)]);
  const waiting = rows.flatMap(({ person, key, envelope, created_at }) => {
    const kind = person === viewer.person ? enrolmentOf(envelope)?.key.kind : undefined;
    return kind === undefined ? [] : [{ key, kind, created_at }];
  });
  return {
    workspace: parts.workspace,
    enrolled: (roster && personById(roster.roster, viewer.person)?.keys) ?? [],
    owner: root?.root.owners.filter(({ person }) => person === viewer.person).map(({ key }) => key) ?? [],
    waiting,
    labels: Object.fromEntries(labels),
    may_sign: root?.root.key_kinds ?? nobody,
  };
}

const nobody: KeyKindRules = { low: [], medium: [], high: [], critical: [], policy: [], root: [] };

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
