import { checksOf } from '@/lib/approvals/checks';
import { parseHeldAction } from '@/lib/approvals/parse-held-action';
import { signVote, voteStatement } from '@/lib/approvals/vote-statement';
import { viewerOf } from '@/lib/auth/viewer-of';
import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { approveRequest } from '@/lib/services/console/approve-request';
import { completeRosterChange } from '@/lib/services/console/complete-roster-change';
import { denyRequest } from '@/lib/services/console/deny-request';
import { enrolKey } from '@/lib/services/console/enrol-key';
import { prepareRosterChange } from '@/lib/services/console/prepare-roster-change';
import { envelopePayload, envelopeText, parseEnvelope, preAuthenticationEncoding, signEnvelope } from '@/lib/shared/dsse';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { ApprovalId, PersonId } from '@/lib/shared/ids';
import { parseOwnJson } from '@/lib/shared/parse-own-json';
import type { Result } from '@/lib/shared/result';

import { ownerEmail, type PlaneStage } from './plane-stage';

const nonce = '0123456789abcdef0123456789abcdef';

/** Votes as the browsers of these people would sign them; each has a key of their own, enrolled when they first vote. */
export function peopleOfPlane(stage: PlaneStage) {
  const { parts, provisioned, owner } = stage;
  const keys = new Map<PersonId, SigningKey>();

  function personOf(email: string): PersonId {
    const person = provisioned.people.get(email);
    if (!person) throw new Error(`There is no ${email}.`);
    return person;
  }

  async function viewer(person: PersonId): Promise<Viewer> {
    const row = await parts.people.byId(person);
    const found = row && viewerOf(row, await parts.inForce.refresh());
    if (!found) throw new Error(`${person} is nobody.`);
    return found;
  }

  async function keyOf(person: PersonId): Promise<SigningKey> {
    const known = keys.get(person);
    if (known) return known;
    const key = generateKey();
    const listed = { id: key.id, kind: 'browser-ed25519', public_key: toBase64(key.publicKey) } as const;
    const asked = await signKeyEnrolment({ workspace: parts.workspace, person, key: listed, at: new Date().toISOString() }, [key.signer]);
    valueOf(await enrolKey(parts, await viewer(person), { envelope: envelopeText(asked) }));
    const change = { kind: 'enrol_key', enrolment: key.id } as const;
    const prepared = valueOf(await prepareRosterChange(parts, change));
    const roster = envelopeText(await signEnvelope(prepared.roster.payload_type, utf8(prepared.roster.text), [owner.signer]));
    const countersigned = prepared.enrolment_envelope === null ? {} : { countersigned: await countersign(prepared.enrolment_envelope, owner) };
    valueOf(await completeRosterChange(parts, personOf(ownerEmail), { change, roster, ...countersigned }));
    keys.set(person, key);
    return key;
  }

  async function approve(approval: ApprovalId, person: PersonId) {
    const row = await parts.approvals.find(approval);
    const held = parseHeldAction(parseOwnJson(row?.held ?? 'null'));
    if (!held.ok) return held;
    const key = await keyOf(person);
    const statement = voteStatement(
      held.value,
      {
        verdict: 'approve', reason: 'As the case has it.', checks: checksOf(held.value).map(({ id }) => id), nonce,
        voter: { person, key: key.id, key_kind: 'browser-ed25519' }, signed_at: new Date().toISOString(),
      },
      nodeSha256,
    );
    return await approveRequest(parts, await viewer(person), { approval, envelope: envelopeText(await signVote(statement, key.signer)) });
  }

  return {
    owner: personOf(ownerEmail),
    personOf,
    vote: async (approval: ApprovalId, email: string, verdict: 'approve' | 'deny'): Promise<Result<unknown>> =>
      verdict === 'approve'
        ? await approve(approval, personOf(email))
        : await denyRequest(parts, await viewer(personOf(email)), { approval, code: 'other', reason: 'As the case has it.' }),
  };
}

async function countersign(envelope: string, key: SigningKey): Promise<string> {
  const read = valueOf(parseEnvelope(envelope));
  const sig = toBase64(await key.signer.sign(preAuthenticationEncoding(read.payloadType, envelopePayload(read) ?? new Uint8Array())));
  return envelopeText({ ...read, signatures: [...read.signatures, { keyid: key.id, sig }] });
}

/** What a harness needs to go on; a failure of it is no case's. */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.detail}`, { cause: result.error });
}
