import { personById } from '@/lib/authority/roster-lookup';
import type { KeyKindRules } from '@/lib/authority/trust-root';
import type { EnrolmentView, OwnKeysView } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { parseEnvelope, verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import type { ConsoleParts } from '../console-parts';
import { enrolmentOf } from '../read-enrolment';
import { keyHistory } from './key-history';

/** The viewer's own keys: enrolled, an owner's, waiting, what they are called, and which kinds may sign what. */
export async function ownKeysView(parts: ConsoleParts, viewer: Viewer): Promise<OwnKeysView> {
  const [{ root, roster }, rows, labels] = await Promise.all([parts.inForce.current(), parts.people.enrolments('waiting'), parts.people.keyLabels(viewer.person)]);
  const waiting = rows.flatMap(({ person, key, envelope, created_at }) => {
    const kind = person === viewer.person ? enrolmentOf(envelope)?.key.kind : undefined;
    return kind === undefined ? [] : [{ key, kind, created_at }];
  });
  const enrolled = (roster && personById(roster.roster, viewer.person)?.keys) ?? [];
  const owner = root?.root.owners.filter(({ person }) => person === viewer.person).map(({ key }) => key) ?? [];
  const { history, revoked } = await keyHistory(parts, viewer.person, [...new Set([...enrolled, ...owner].map(({ id }) => id))]);
  return {
    workspace: parts.workspace,
    enrolled,
    owner,
    waiting,
    revoked,
    history,
    labels: Object.fromEntries(labels),
    may_sign: root?.root.key_kinds ?? nobody,
  };
}

const nobody: KeyKindRules = { low: [], medium: [], high: [], critical: [], policy: [], root: [] };

/** Keys that wait for an owner's countersignature. */
export async function enrolmentsView(parts: ConsoleParts): Promise<{ readonly enrolments: readonly EnrolmentView[] }> {
  const [rows, people, { roster }] = await Promise.all([parts.people.enrolments('waiting'), parts.people.list(), parts.inForce.current()]);
  const enrolments: EnrolmentView[] = [];
  for (const { id, person, envelope, created_at } of rows) {
    const enrolment = enrolmentOf(envelope);
    const who = people.find((one) => one.id === person);
    if (!enrolment || !who) continue;
    const earlier = (roster && personById(roster.roster, person)?.keys) ?? [];
    enrolments.push({ id, person, name: who.name, email: who.email, key: enrolment.key, by_earlier_key: await signedByOneOf(envelope, earlier, parts), envelope, created_at });
  }
  return { enrolments };
}

async function signedByOneOf(text: string, keys: readonly PublicKeyEntry[], { cryptography }: Pick<ConsoleParts, 'cryptography'>): Promise<boolean> {
  const envelope = parseEnvelope(text);
  if (!envelope.ok) return false;
  const known = new Map(keys.map(({ id, public_key }) => [id, fromBase64(public_key) ?? new Uint8Array()]));
  return (await verifiedSigners(envelope.value, known, cryptography.verify)).size > 0;
}
