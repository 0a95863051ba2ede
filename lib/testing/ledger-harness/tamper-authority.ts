import { signStatement } from '@/lib/authority/owner-statements';
import { envelopePayload, envelopeText, parseEnvelope, signEnvelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';

import { nodeSha256 } from '../node-crypto';
import { testPasskey } from '../passkey';
import { second } from './cast';
import { changing, consistent, eventOf, followedBy, replacing, rewritten, shorter, swapped, without, type Tampering } from './tampering';
import type { ToldLedger } from './teller';

const signedAnew = { fsck: consistent, pins: rewritten } as const;
const cutAnew = { fsck: consistent, pins: shorter } as const;

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});

/** The same statement under another one's signature. */
function envelopeOf(told: ToldLedger, label: string) {
  const read = parseEnvelope(envelopeText(eventOf(told, label).predicate['envelope'] as never));
  if (!read.ok) throw new Error(read.error.detail);
  return read.value;
}

/** What somebody with the services' keys does to what only owners and people may say: proposals, grants, standing approvals, switches, labels, facts, restores. */
export const tamperedAuthority: readonly Tampering[] = [
  { name: 'policies come into force in another order', history: swapped('second policy', 'third policy'), verify: { check: 'policies', says: 'never came into force' }, ...signedAnew },
  { name: 'a roster version is skipped in the log', history: changing('second roster', () => ({ version: 3 })), verify: { check: 'administration', at: 'second roster', says: 'another version of the roster' }, ...signedAnew },
  { name: 'a roster is said to be signed by nobody who owns anything', history: (told) => changing('second roster', () => ({ signers: [told.cast.keys.stranger.signer.keyId] }))(told), verify: { check: 'administration', at: 'second roster', says: 'a signer who is no owner' }, ...signedAnew },
  { name: 'a trust root is said to replace another one than it does', history: changing('second root', () => ({ previous_digest: '9'.repeat(64) })), verify: { check: 'administration', at: 'second root', says: 'another version of the trust root' }, ...signedAnew },
  { name: 'a policy is said to rest on another base than it does', history: changing('third policy', () => ({ base_digest: '9'.repeat(64) })), verify: { check: 'administration', at: 'third policy', says: 'another base' }, ...signedAnew },
  { name: 'a proposal is applied that had been turned down', history: (told) => {
    const { proposal, digest } = eventOf(told, 'fewer rows proposed').predicate;
    return followedBy('fewer rows signed', 'wider rejected', () => ({ proposal, digest }))(told);
  }, verify: { check: 'proposals', at: 'second policy', says: 'applied after it had been stale' }, ...signedAnew },
  { name: 'a policy is applied that nobody had signed as a proposal', history: without('fewer rows signed'), verify: { check: 'proposals', at: 'second policy', says: 'nobody had signed' }, ...cutAnew },
  { name: 'a policy is applied that nobody had proposed', history: without('fewer rows proposed', 'fewer rows proved', 'fewer rows signed'), verify: { check: 'proposals', at: 'second policy', says: 'nobody had proposed' }, ...cutAnew },
  { name: 'a proof is of another text', history: changing('fewer rows proved', () => ({ digest: '9'.repeat(64) })), verify: { check: 'proposals', at: 'fewer rows proved', says: 'another text than was proposed' }, ...signedAnew },
  { name: 'a loosening is passed off as a tightening', history: changing('grant proved', () => ({ change: 'tighten' })), verify: { check: 'proposals', at: 'grant signed', says: 'another text, base or class' }, ...signedAnew },
  { name: 'a policy that loosens is called a tightening', history: changing('third policy', () => ({ change: 'tighten' })), verify: { check: 'classes', at: 'third policy', says: 'from both texts it is a loosening' }, ...signedAnew },
  { name: 'red tests are overlooked', history: changing('fewer rows proved', () => ({ applicable: false })), verify: { check: 'proposals', at: 'fewer rows signed', says: 'does not let be applied' }, ...signedAnew },
  { name: 'a person’s proposal has no signature', history: (told) => {
    const event = eventOf(told, 'fewer rows proposed');
    const { envelope: _envelope, ...predicate } = event.predicate;
    return replacing(told, 'fewer rows proposed', [{ ...event, predicate }]);
  }, verify: { check: 'proposals', at: 'fewer rows proposed', says: 'without their signature' }, ...signedAnew },
  { name: 'whoever made the agent’s credential would count as a signer of its proposal', history: changing('wider proposed', () => ({ not_counted: [] })), verify: { check: 'proposals', at: 'wider proposed', says: 'leaves out somebody who had a hand in it' }, ...signedAnew },
  { name: 'an owner’s signature is moved to another proposal', history: (told) => changing('grant signed', () => ({ envelope: envelopeOf(told, 'fewer rows signed') }))(told),
    verify: { check: 'proposals', at: 'grant signed', says: 'another proposal than the receipt states' }, ...signedAnew },
  { name: 'a roll-back restores what was never in force', history: changing('rolled back', ({ digest }) => ({ restores: { revision: 9, digest } })),
    verify: { check: 'proposals', at: 'rolled back', says: 'restores a revision that was never in force' }, ...signedAnew },
  { name: 'a grant gives more than owners signed', history: changing('grant issued', () => ({ uses: 9000 })), verify: { check: 'grants', at: 'grant issued', says: 'signed another grant' }, ...signedAnew },
  { name: 'a grant is signed by nobody who owns anything', history: async (told) => {
    const { grant, agent, tool, operation, scope, uses, expires_at, at } = eventOf(told, 'grant issued').predicate as never as Parameters<typeof signStatement<'grant'>>[2] & { readonly at: string };
    const envelope = await signStatement('grant', told.cast.workspace, { grant, agent, tool, operation, scope, uses, expires_at }, at, [told.cast.keys.stranger.signer]);
    return changing('grant issued', () => ({ envelope, digest: digestOf(nodeSha256, envelopePayload(envelope) ?? new Uint8Array()) }))(told);
  }, verify: { check: 'grants', at: 'grant issued', says: 'a key that is no owner’s' }, ...signedAnew },
  { name: 'a grant is used more often than it gives', history: changing('second use', () => ({ use: 4 })), verify: { check: 'grants', at: 'second use', says: 'for the 4. time' }, ...signedAnew },
  { name: 'the use of a grant is not counted', history: without('second use'), verify: { check: 'grants', at: 'second granted note redeemed', says: 'was not counted' }, ...cutAnew },
  { name: 'a grant is used after it was revoked', history: swapped('first use', 'grant revoked'), verify: { check: 'grants', at: 'second granted note decided', says: 'a grant that had been revoked' }, ...signedAnew },
  { name: 'a grant is used by another agent', history: changing('first use', () => ({ agent: 'stranger' })), verify: { check: 'grants', at: 'first use', says: 'another agent' }, ...signedAnew },
  { name: 'a grant is used under a permit that does not name it', history: changing('first granted note decided', ({ permit }) => {
    const { grants: _grants, ...rest } = record(permit);
    return { permit: rest };
  }), verify: { check: 'grants', at: 'first use', says: 'does not name it' }, ...signedAnew },
  { name: 'a standing approval stands for more than was signed', history: changing('standing granted', () => ({ uses: 20 })), verify: { check: 'standing', at: 'standing granted', says: 'signed another standing approval' }, ...signedAnew },
  { name: 'a standing approval is used for other arguments', history: changing('standing used', () => ({ arguments_digest: '9'.repeat(64) })), verify: { check: 'standing', at: 'standing used', says: 'other arguments' }, ...signedAnew },
  { name: 'a standing approval is used more often than it may', history: changing('standing used', () => ({ use: 3 })), verify: { check: 'standing', at: 'standing used', says: 'for the 3. time' }, ...signedAnew },
  { name: 'a standing approval is used after its end', history: swapped('standing used', 'standing revoked'), verify: { check: 'standing', at: 'standing used', says: 'after it had ended' }, ...signedAnew },
  { name: 'a real approval is called seeded afterwards', history: changing('commitment opened', () => ({ seeded: true })), verify: { check: 'seeded', at: 'commitment opened', says: 'not what was committed to' }, ...signedAnew },
  { name: 'a seeded request is permitted', history: (told) => {
    const { approval } = eventOf(told, 'seeded requested').predicate;
    return changing('copy permitted', () => ({ approval }))(told);
  }, verify: { check: 'seeded', at: 'copy permitted', says: 'A seeded request was permitted' }, ...signedAnew },
  { name: 'a commitment is made after the request was shown', history: swapped('seeded commitment', 'seeded requested'), verify: { check: 'seeded', at: 'seeded commitment', says: 'after it had been shown' }, ...signedAnew },
  { name: 'a switch is released without an owner', history: (told) => {
    const event = eventOf(told, 'switch released');
    const { envelope: _envelope, ...predicate } = event.predicate;
    return replacing(told, 'switch released', [{ ...event, predicate }]);
  }, verify: { check: 'switches', at: 'switch released', says: 'without an owner’s signature' }, ...signedAnew },
  { name: 'an owner’s release is used for another switch', history: (told) => changing('switch released', () => ({ target: 'other' }))(changing('switch thrown', () => ({ target: 'other' }))(told)),
    verify: { check: 'switches', at: 'switch released', says: 'released another switch' }, ...signedAnew },
  { name: 'an agent is restored without an owner', history: (told) => {
    const event = eventOf(told, 'agent restored');
    const { envelope: _envelope, ...predicate } = event.predicate;
    return replacing(told, 'agent restored', [{ ...event, predicate }]);
  }, verify: { check: 'administration', at: 'agent restored', says: 'without an owner’s signature' }, ...signedAnew },
  { name: 'an owner’s restoration is used for another agent', history: (told) => changing('agent restored', () => ({ subject: 'other' }))(changing('agent suspended', () => ({ subject: 'other' }))(told)),
    verify: { check: 'administration', at: 'agent restored', says: 'restored another agent' }, ...signedAnew },
  { name: 'something of a suspended agent is let through', history: swapped('agent suspended', 'second granted note decided'), verify: { check: 'administration', at: 'second granted note decided', says: 'that was suspended' }, ...signedAnew },
  { name: 'something is let through while the switch is on', history: swapped('switch thrown', 'second granted note decided'), verify: { check: 'switches', at: 'second granted note decided', says: 'was on' }, ...signedAnew },
  { name: 'a guard finds something in what nobody recorded', history: changing('finding in output', () => ({ content_digest: '9'.repeat(64) })), verify: { check: 'guards', at: 'finding in output', says: 'never recorded' }, ...signedAnew },
  { name: 'a key is said to be removed that the roster lists', history: (told) => changing('abe’s key removed', () => ({ key: told.cast.keys.abesNext.signer.keyId }))(told),
    verify: { check: 'administration', at: 'abe’s key removed', says: 'still lists the key' }, ...signedAnew },
  { name: 'somebody approves with a key that they had revoked', history: swapped('payment voted by abe', 'abe’s next key revoked'),
    verify: { check: 'votes', at: 'payment voted by abe', says: 'does not list this key' }, ...signedAnew },
  { name: 'somebody’s key is revoked by another', history: (told) => changing('abe’s next key revoked', () => ({ by: { kind: 'person', id: told.cast.people.owner } }))(told),
    verify: { check: 'administration', at: 'abe’s next key revoked', says: 'somebody else' }, ...signedAnew },
  { name: 'a key is revoked that its person never had', history: (told) => changing('abe’s next key revoked', () => ({ key: told.cast.keys.rita.signer.keyId }))(told),
    verify: { check: 'administration', at: 'abe’s next key revoked', says: 'no roster had listed' }, ...signedAnew },
  { name: 'an enrolled key is said to be a passkey', history: (told) => changing('abe’s next key', () => ({ key: testPasskey('stranger').entry }))(told),
    verify: { check: 'administration', at: 'abe’s next key', says: 'does not list the key' }, ...signedAnew },
  { name: 'an enrolled key is said to be of another kind', history: changing('abe’s next key', ({ key }) => ({ key: { ...record(key), kind: 'file-ed25519' } })),
    verify: { check: 'administration', at: 'abe’s next key', says: 'does not list the key' }, ...signedAnew },
  { name: 'a key is said to be enrolled that the roster does not list', history: (told) => changing('abe’s next key', ({ key }) => ({ key: { ...record(key), id: told.cast.keys.stranger.signer.keyId } }))(told),
    verify: { check: 'administration', at: 'abe’s next key', says: 'does not list the key' }, ...signedAnew },
  { name: 'a credential has another token than the roster lists', history: changing('orchestrator’s credential', () => ({ token_digest: '9'.repeat(64) })),
    verify: { check: 'administration', at: 'orchestrator’s credential', says: 'another token' }, ...signedAnew },
  { name: 'an export covers what was not there yet', history: changing('exported', () => ({ to: 5000 })), verify: { check: 'administration', at: 'exported', says: 'not there yet' }, ...signedAnew },
  { name: 'a restore is accepted by no owner', history: async (told) => {
    const { served, found, reason, at } = eventOf(told, 'restore accepted').predicate as never as Parameters<typeof signStatement<'rollback_acceptance'>>[2] & { readonly at: string };
    const envelope = await signStatement('rollback_acceptance', told.cast.workspace, { served, found, reason }, at, [told.cast.keys.console.signer]);
    return changing('restore accepted', () => ({ envelope }))(told);
  }, verify: { check: 'administration', at: 'restore accepted', says: 'no owner' }, ...signedAnew },
  { name: 'another restore is accepted than an owner signed', history: changing('restore accepted', () => ({ reason: 'Nothing.' })), verify: { check: 'administration', at: 'restore accepted', says: 'accepted another restore' }, ...signedAnew },
  { name: 'another label is lowered than an owner signed', history: changing('label lowered', () => ({ label: 'SECRET' })), verify: { check: 'statements', at: 'label lowered', says: 'next step is not this lowering' }, ...signedAnew },
  { name: 'a person is said to have supplied another fact', history: changing('fact of a person', ({ attributes }) => ({ attributes: Array.isArray(attributes) ? attributes.map((one) => ({ ...record(one), value_digest: null })) : [] })),
    verify: { check: 'statements', at: 'fact of a person', says: 'another fact than the signature' }, ...signedAnew },
  { name: 'a grant has expired when it is used', history: changing('first use', () => ({ at: second(90_000) })), verify: { check: 'grants', at: 'first use', says: 'after it had expired' }, ...signedAnew },
  { name: 'a recovery is announced that another key than the recovery key signed', history: async (told) => {
    const next = envelopeOf(told, 'recovery announced');
    const envelope = await signEnvelope(next.payloadType, envelopePayload(next) ?? new Uint8Array(), [told.cast.keys.stranger.signer]);
    return changing('recovery announced', () => ({ envelope }))(told);
  }, verify: { check: 'administration', at: 'recovery announced', says: 'too few owners' }, ...signedAnew },
  { name: 'a recovery is said to bring in another root than was signed', history: changing('recovery announced', () => ({ version: 9 })), verify: { check: 'administration', at: 'recovery announced', says: 'another trust root than the recovery key signed' }, ...signedAnew },
  { name: 'a recovery is cancelled by somebody who is no owner', history: (told) => changing('recovery cancelled', () => ({ by: { kind: 'person', id: told.cast.people.bea } }))(told),
    verify: { check: 'administration', at: 'recovery cancelled', says: 'no owner' }, ...signedAnew },
  { name: 'the announcement of a recovery is cut out', history: without('recovery announced'), verify: { check: 'administration', at: 'recovery cancelled', says: 'had not been announced' }, ...cutAnew },
  { name: 'a recovery is announced again behind its cancellation', history: (told) => swapped('recovery announced', 'recovery cancelled')(told),
    verify: { check: 'administration', at: 'recovery cancelled', says: 'had not been announced' }, ...signedAnew },
];
