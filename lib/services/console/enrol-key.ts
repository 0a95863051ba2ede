import { verifyKeyEnrolment } from '@/lib/authority/key-enrolment';
import { personById } from '@/lib/authority/roster-lookup';
import type { EnrolKeyInput, EnrolKeyOutcome } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { envelopePayload, envelopeText, parseEnvelope, preAuthenticationEncoding, signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { completeRosterChange } from './complete-roster-change';
import type { ConsoleParts } from './console-parts';
import { prepareRosterChange } from './prepare-roster-change';
import { enrolmentOf } from './read-enrolment';
import { authorityToBuildOn } from './roster-change-facts';

/** Keys that one person may have waiting: an agent that drives a browser cannot fill the owner's page. */
const mostWaiting = 3;

/**
 * Takes in a person's new key, signed with itself; it counts for nothing until an owner countersigns. In the demo the
 * owner's key file does so at once. Failures: `signature_invalid`, `forbidden` (somebody else's), `conflict`.
 */
export async function enrolKey(parts: ConsoleParts, viewer: Viewer, input: EnrolKeyInput): Promise<Result<EnrolKeyOutcome>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root, roster } = authority.value;
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  const verified = await verifyKeyEnrolment(envelope.value, root, roster.roster, parts.cryptography);
  // `forbidden` is its last check: everything holds, and only the countersignature is missing, as it has to be here.
  if (!verified.ok && verified.error.code !== 'forbidden') return verified;
  const enrolment = enrolmentOf(input.envelope);
  if (!enrolment) return fail('signature_invalid', 'The enrolment cannot be read.');
  if (enrolment.person !== viewer.person || !personById(roster.roster, viewer.person)) return fail('forbidden', 'The key is enrolled for somebody else than you.');
  if ((await parts.inForce.current()).revokedKeys?.has(enrolment.key.id) === true) return fail('conflict', 'This key was revoked, and a revoked key never counts again.', { fix: 'Make a new key.' });
  const kept = await keep(parts, viewer, enrolment.key.id, input.envelope);
  if (!kept.ok || !parts.demoOwner) return kept;
  return await countersignByFile(parts, viewer, enrolment.key.id, envelope.value, parts.demoOwner.signer);
}

function keep(parts: ConsoleParts, viewer: Viewer, key: KeyId, envelope: string): Promise<Result<EnrolKeyOutcome>> {
  return parts.transactor.withHead(async (tx, { now }) => {
    const waiting = await parts.people.enrolments('waiting', tx);
    if (waiting.some((row) => row.key === key && row.person === viewer.person)) return ok({ key, state: 'waiting' });
    const before = [...waiting, ...(await parts.people.enrolments('refused', tx)), ...(await parts.people.enrolments('enrolled', tx))];
    if (before.some((row) => row.key === key)) return fail('conflict', 'This key was enrolled or refused before.', { fix: 'Make a new key.' });
    if (waiting.filter(({ person }) => person === viewer.person).length >= mostWaiting) {
      return fail('rate_limited', `${mostWaiting} of your keys wait for an owner already.`);
    }
    // The key names its enrolment: one key waits once, whoever sends it.
    await parts.people.addEnrolment(tx, { id: key, person: viewer.person, key, envelope, state: 'waiting', created_at: now });
    return ok({ key, state: 'waiting' });
  });
}

/** The demo's shortcut through the same door as an owner's browser: the roster is prepared, signed and verified as always. */
async function countersignByFile(parts: ConsoleParts, viewer: Viewer, key: KeyId, envelope: Envelope, signer: Signer): Promise<Result<EnrolKeyOutcome>> {
  const change = { kind: 'enrol_key', enrolment: key } as const;
  let done: Result<unknown> = fail('conflict', 'The roster keeps changing.');
  // Two people who enrol at once build on the same roster; the second builds again on the first's.
  for (let attempt = 0; attempt < 5 && raced(done); attempt++) {
    const prepared = await prepareRosterChange(parts, change);
    if (!prepared.ok) return prepared;
    const { payload_type, text } = prepared.value.roster;
    const roster = await signEnvelope(payload_type, utf8(text), [signer]);
    const countersigned = await addSignature(envelope, signer);
    done = await completeRosterChange(parts, viewer.person, { change, roster: envelopeText(roster), countersigned: envelopeText(countersigned) });
  }
  return done.ok ? ok({ key, state: 'enrolled' }) : done;
}

/** Somebody else's roster came between: seen before the commit it is no successor of the one in force, seen in it a conflict. */
const raced = (done: Result<unknown>): boolean => !done.ok && (done.error.code === 'conflict' || done.error.code === 'roster_invalid');

async function addSignature(envelope: Envelope, signer: Signer): Promise<Envelope> {
  const payload = envelopePayload(envelope) ?? new Uint8Array();
  const sig = toBase64(await signer.sign(preAuthenticationEncoding(envelope.payloadType, payload)));
  return { ...envelope, signatures: [...envelope.signatures, { keyid: signer.keyId, sig }] };
}
