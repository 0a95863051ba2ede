import { contentItem, type ContentItem } from '@/lib/ledger/content';
import { fromBase64 } from '@/lib/shared/encoding';
import { isJsonObject, type Json } from '@/lib/shared/json';

import { nodeSha256 as sha256 } from '../node-crypto';
import { second } from './cast';
import { all, changing, consistent, eventOf, followedBy, indexOf, replacing, rewritten, shorter, swapped, without, type Tampering } from './tampering';
import { tamperedEdits } from './tamper-edits';
import { revoted } from './tamper-votes';
import type { ToldLedger } from './teller';

const signedAnew = { fsck: consistent, pins: rewritten } as const;
const cutAnew = { fsck: consistent, pins: shorter } as const;

/** Another value in the place of a content, with a digest of its own, which the receipt then names. */
function withContent(told: ToldLedger, label: string, field: string, change: (value: { readonly [name: string]: Json }) => Json): ToldLedger {
  const named = eventOf(told, label).predicate[field];
  const item = told.contents.find(({ digest }) => digest === named);
  if (!item || !isJsonObject(item.value)) throw new Error(`${label} names no ${field}.`);
  const altered: ContentItem = contentItem(sha256, fromBase64(item.salt) ?? new Uint8Array(16), change(item.value));
  return changing(label, () => ({ [field]: altered.digest }))({ ...told, contents: told.contents.map((one) => (one === item ? altered : one)) });
}

/**
 * What somebody does who holds the services' keys, and so signs every receipt anew: decisions, votes, permits and outcomes that are
 * not what happened. Owners' and people's keys are not theirs.
 */
export const tamperedDecisions: readonly Tampering[] = [
  {
    name: 'a verdict is forged and well signed', history: changing('drop denied', () => ({ decision: 'ALLOW', code: 'allowed' })),
    verify: { check: 'rederivation', at: 'drop denied', says: 'The decision was "ALLOW" and is now "DENY"' }, ...signedAnew,
  },
  {
    name: 'a snapshot is altered until the verdict would be another', history: (told) => withContent(told, 'stopped', 'snapshot_digest', (snapshot) => ({ ...snapshot, killed: false })),
    verify: { check: 'rederivation', at: 'stopped', says: 'come out differently' }, ...signedAnew,
  },
  {
    name: 'the action behind a decision is another one', history: (told) => {
      const { digest } = told.contents.find(({ value }) => isJsonObject(value) && value['tool'] === 'notes') ?? { digest: '' };
      return changing('drop denied', ({ action }) => ({ action: { ...(typeof action === 'object' ? action : {}), digest } }))(told);
    },
    verify: { check: 'rederivation', at: 'drop denied', says: 'come out differently' }, ...signedAnew,
  },
  {
    name: 'a decision names the policy that was no longer in force', history: (told) => changing('payment held', () => ({ policy: { revision: 2, digest: told.policies[1]?.digest } }))(told),
    verify: { check: 'policies', at: 'payment held', says: 'another policy than the one in force' }, ...signedAnew,
  },
  {
    name: 'a decision is made without what its session had done', history: changing('update decided', ({ context_seq }) => ({ context_seq: Number(context_seq) - 1 })),
    verify: { check: 'sessions', at: 'update decided', says: 'The decision saw step' }, ...signedAnew,
  },
  {
    name: 'the chain of a session goes back', history: changing('note reported', () => ({ context_seq: 1 })),
    verify: { check: 'sessions', at: 'note reported', says: 'went back, or changed without growing' }, ...signedAnew,
  },
  {
    name: 'a child is opened for another human', history: changing('child opened', () => ({ human: 'owner@harbor.example' })),
    verify: { check: 'sessions', at: 'child opened', says: 'another human than its parent' }, ...signedAnew,
  },
  {
    name: 'a decision is said to be for another human', history: changing('note decided', ({ identity }) => ({ identity: { ...record(identity), human: 'owner@harbor.example' } })),
    verify: { check: 'sessions', at: 'note decided', says: 'another human, service, agent' }, ...signedAnew,
  },
  {
    name: 'the quorum is lowered, in decision and request alike', history: all(
      changing('payment held', ({ approval }) => ({ approval: { ...record(approval), quorum: 1 } })), changing('payment requested', () => ({ quorum: 1 })),
    ),
    verify: { check: 'rederivation', at: 'payment held', says: 'The request needs 1 people, the policy 2' }, ...signedAnew,
  },
  {
    name: 'the quorum is lowered in the request alone', history: changing('payment requested', () => ({ quorum: 1 })),
    verify: { check: 'votes', at: 'payment requested', says: 'asks other people, or until another time, than was held' }, ...signedAnew,
  },
  {
    name: 'a request is routed to other people than the policy asks', history: changing('copy requested', () => ({ approvers: ['approver', 'everybody'] })),
    verify: { check: 'rederivation', at: 'copy held', says: 'the policy asks approver' }, ...signedAnew,
  },
  {
    name: 'separation of duties is switched off for one request', history: changing('copy requested', () => ({ separation: false })),
    verify: { check: 'rederivation', at: 'copy held', says: 'separation of duties' }, ...signedAnew,
  },
  {
    name: 'a permit lasts longer than the policy lets it', history: changing('note decided', ({ permit }) => ({ permit: { ...record(permit), expires_at: second(50_000) } })),
    verify: { check: 'rederivation', at: 'note decided', says: 'The permit lasts longer than the 60 seconds' }, ...signedAnew,
  },
  {
    name: 'a permit after an approval lasts longer than the policy lets it', history: changing('copy permitted', ({ permit }) => ({ permit: { ...record(permit), expires_at: second(50_000) } })),
    verify: { check: 'rederivation', at: 'copy held', says: 'The permit lasts longer than the 600 seconds' }, ...signedAnew,
  },
  {
    name: 'a permit obliges to something else than the policy', history: changing('note decided', ({ permit }) => ({ permit: { ...record(permit), obligations: [{ kind: 'sandbox', value: 'none' }] } })),
    verify: { check: 'rederivation', at: 'note decided', says: 'obliges to something else' }, ...signedAnew,
  },
  ...tamperedEdits,
  {
    name: 'a request takes the place of one that did not give way', history: changing('draft again instead', () => ({ state: 'superseded' })),
    verify: { check: 'votes', at: 'draft again requested', says: 'did not give way to it' }, ...signedAnew,
  },
  {
    name: 'a request takes the place of one about another action', history: (told) => {
      const other = eventOf(told, 'copy requested').predicate['approval'];
      const mine = eventOf(told, 'draft again requested').predicate['approval'];
      return changing('copy approved', () => ({ state: 'stale', superseded_by: mine, votes: [] }))(changing('draft again requested', () => ({ supersedes: other }))(told));
    },
    verify: { check: 'votes', at: 'draft again requested', says: 'of one about another action' }, ...signedAnew,
  },
  {
    name: 'a question is asked back by somebody who was not asked', history: (told) => changing('question opened', ({ question }) => ({ question: { ...record(question), by: told.cast.people.rita } }))(told),
    verify: { check: 'votes', at: 'question opened', says: 'asked back by somebody to whom' }, ...signedAnew,
  },
  {
    name: 'a request that was asked back about goes on all the same', history: changing('asked back', () => ({ state: 'expired' })),
    verify: { check: 'pairing', at: 'answered deletion held', says: 'went on after it had been expired' }, ...signedAnew,
  },
  {
    name: 'a question is said to be about another request', history: (told) => changing('question opened', ({ question }) => ({ question: { ...record(question), approval: eventOf(told, 'copy requested').predicate['approval'] } }))(told),
    verify: { check: 'votes', at: 'question opened', says: 'another action than its request' }, ...signedAnew,
  },
  {
    name: 'a request gives way to a question that nobody asked', history: (told) => changing('asked back', () => ({ deferral: eventOf(told, 'other deletion opened').predicate['deferral'] }))(told),
    verify: { check: 'votes', at: 'question opened', says: 'its request went on or ended otherwise' }, ...signedAnew,
  },
  {
    name: 'an action goes on without the answer that was asked for', history: changing('question answered', ({ attributes }) => ({ attributes: (attributes as readonly object[]).map((fact) => ({ ...fact, name: 'answer.2' })) })),
    verify: { check: 'votes', at: 'answered', says: 'without an answer to what was asked back' }, ...signedAnew,
  },
  {
    name: 'an outcome is that of another action', history: changing('note reported', ({ action }) => ({ action: { ...record(action), digest: '8'.repeat(64) } })),
    verify: { check: 'pairing', at: 'note reported', says: 'another digest or session' }, ...signedAnew,
  },
  {
    name: 'a permit is redeemed in another session', history: changing('payment redeemed', () => ({ session: 'ses_0000000000000000000000' })),
    verify: { check: 'pairing', at: 'payment redeemed', says: 'another digest or session' }, ...signedAnew,
  },
  {
    name: 'somebody approves who was suspended', history: (told) => followedBy('copy requested', 'owner joined', () => ({ person: told.cast.people.abe, change: 'suspended' }))(told),
    verify: { check: 'administration', at: 'copy voted', says: 'who was suspended' }, ...signedAnew,
  },
  {
    name: 'a vote is moved to another action', history: (told) => {
      const { approval, action, basis_digest } = eventOf(told, 'narrow requested').predicate;
      return changing('copy voted', () => ({ approval, action, basis_digest }))(swapped('copy voted', 'narrow voted')(told));
    },
    verify: { check: 'votes', at: 'copy voted', says: 'The signature is over another request' }, ...signedAnew,
  },
  {
    name: 'a vote is said to be on what was not asked', history: changing('report voted', () => ({ basis_digest: '7'.repeat(64) })),
    verify: { check: 'votes', at: 'report voted', says: 'another basis than was asked' }, ...signedAnew,
  },
  {
    name: 'a denial is turned into an approval', history: changing('seeded voted', () => ({ verdict: 'approve' })),
    verify: { check: 'votes', at: 'seeded voted', says: 'An approval without a signature' }, ...signedAnew,
  },
  {
    name: 'somebody votes whom the roster does not list', history: (told) => revoted(told, 'report voted', { voter: { person: told.cast.credentials.agent.replace('crd', 'per') as never, key: '' as never, key_kind: 'passkey' } }, told.cast.keys.stranger),
    verify: { check: 'votes', at: 'report voted', says: 'does not list the voter' }, ...signedAnew,
  },
  {
    name: 'somebody votes who was not asked', history: (told) => revoted(told, 'report voted', { voter: { person: told.cast.people.rita, key: '' as never, key_kind: 'browser-ed25519' } }, told.cast.keys.rita),
    verify: { check: 'votes', at: 'report voted', says: 'was not routed to the voter' }, ...signedAnew,
  },
  {
    name: 'somebody votes whom separation of duties bars', history: (told) => changing('copy requested', () => ({ excluded: [told.cast.people.abe] }))(told),
    verify: { check: 'votes', at: 'copy requested', says: 'excludes other people than was held' }, ...signedAnew,
  },
  {
    name: 'a vote is signed with a key that the roster no longer lists', history: (told) => revoted(told, 'payment voted by abe', {}, told.cast.keys.abe),
    verify: { check: 'votes', at: 'payment voted by abe', says: 'does not list this key for the voter' }, ...signedAnew,
  },
  {
    name: 'a vote is signed by a stranger in an approver’s name', history: (told) => revoted(told, 'copy voted', {}, told.cast.keys.stranger),
    verify: { check: 'votes', at: 'copy voted', says: 'does not list this key for the voter' }, ...signedAnew,
  },
  {
    name: 'a vote counts that came after the request had expired', history: changing('copy requested', ({ at }) => ({ expires_at: at })),
    verify: { check: 'votes', at: 'copy requested', says: 'until another time, than was held' }, ...signedAnew,
  },
  {
    name: 'what was held is another thing than people signed', history: (told) => withContent(told, 'copy requested', 'held_digest', (held) => ({ ...held, labels: ['PUBLIC'] })),
    verify: { check: 'votes', at: 'copy requested', says: 'does not give the basis that people signed' }, ...signedAnew,
  },
  {
    name: 'one person makes the quorum twice', history: (told) => {
      const { abe } = told.cast.people;
      const again = followedBy('payment voted by abe', 'payment voted by abe')(told);
      const copy = eventOf(again, 'copy of payment voted by abe').predicate.receipt;
      const first = eventOf(again, 'payment voted by abe').predicate.receipt;
      return changing('payment approved', () => ({ votes: [first, copy], by: { kind: 'person', id: abe } }))(again);
    },
    verify: { check: 'pairing', at: 'payment approved', says: 'Fewer people than needed' }, ...signedAnew,
  },
  { name: 'a vote that counted is not there', history: without('report voted'), verify: { check: 'pairing', at: 'report approved', says: 'Fewer people than needed' }, ...cutAnew },
  {
    name: 'an extension gives a request more than twice its time', history: changing('report extended', () => ({ expires_at: second(50_000) })),
    verify: { check: 'votes', at: 'report extended', says: 'signed another extension' }, ...signedAnew,
  },
  { name: 'something is approved that nobody was asked for', history: without('copy requested'), verify: { check: 'pairing', at: 'copy approved', says: 'nobody was asked for' }, ...cutAnew },
  { name: 'a permit is issued without an approval', history: without('report approved'), verify: { check: 'pairing', at: 'report permitted', says: 'without an approval' }, ...cutAnew },
  {
    name: 'a permit is for another action than was approved', history: (told) => changing('copy permitted', ({ permit }) => ({ permit: { ...record(permit), action_digest: '8'.repeat(64) } }))(told),
    verify: { check: 'pairing', at: 'copy permitted', says: 'another action than was approved' }, ...signedAnew,
  },
  {
    name: 'a denied action is run', history: (told) => {
      const { action } = eventOf(told, 'drop denied').predicate;
      return followedBy('drop denied', 'note redeemed', () => ({ action }))(told);
    },
    verify: { check: 'pairing', at: 'copy of note redeemed', says: 'no such permit' }, ...signedAnew,
  },
  { name: 'a permit is redeemed twice', history: followedBy('note redeemed', 'note redeemed'), verify: { check: 'pairing', at: 'copy of note redeemed', says: 'redeemed twice' }, ...signedAnew },
  {
    name: 'a permit is redeemed after it had expired', history: changing('note decided', ({ permit, at }) => ({ permit: { ...record(permit), expires_at: at } })),
    verify: { check: 'pairing', at: 'note redeemed', says: 'had expired' }, ...signedAnew,
  },
  { name: 'an outcome is reported that no permit stands behind', history: without('payment redeemed'), verify: { check: 'pairing', at: 'payment reported', says: 'no redeemed permit stands behind' }, ...cutAnew },
  { name: 'an outcome is reported twice', history: followedBy('note reported', 'note reported'), verify: { check: 'pairing', at: 'copy of note reported', says: 'reported twice' }, ...signedAnew },
  {
    name: 'an action runs while it is deferred', history: (told) => {
      const { action } = eventOf(told, 'other deletion opened').predicate;
      return followedBy('other deletion opened', 'note redeemed', () => ({ action }))(told);
    },
    verify: { check: 'pairing', at: 'copy of note redeemed', says: 'no such permit' }, ...signedAnew,
  },
  { name: 'a deferral ends twice', history: followedBy('other deletion expired', 'other deletion expired'), verify: { check: 'pairing', at: 'copy of other deletion expired', says: 'ended twice' }, ...signedAnew },
  {
    name: 'a source is asked out of turn', history: changing('asked again', () => ({ attempt: 3 })),
    verify: { check: 'pairing', at: 'asked again', says: 'out of turn' }, ...signedAnew,
  },
  {
    name: 'a receipt is dated an hour back', history: (told) => changing('payment redeemed', () => ({ at: second(indexOf(told, 'payment redeemed') - 3600) }))(told),
    verify: { check: 'times', at: 'payment redeemed', says: 'although an earlier one is of' }, ...signedAnew,
  },
  {
    name: 'a permit by the console’s key', history: (told) => replacing(told, 'note decided', [{ ...eventOf(told, 'note decided'), signer: told.cast.keys.console }]),
    verify: { check: 'receipts', at: 'note decided', says: 'the plane did not sign' }, ...signedAnew,
  },
  {
    name: 'a receipt is signed anew with an unknown key', history: (told) => replacing(told, 'message', [{ ...eventOf(told, 'message'), signer: told.cast.keys.stranger }]),
    verify: { check: 'receipts', at: 'message', says: 'was not delegated at its position' }, ...signedAnew,
  },
  {
    name: 'a key is used after its last position', history: (told) => replacing(told, 'payment redeemed', [{ ...eventOf(told, 'payment redeemed'), signer: told.cast.keys.plane }]),
    verify: { check: 'receipts', at: 'payment redeemed', says: 'had ended before its position' }, ...signedAnew,
  },
  {
    name: 'a key is used before its first position', history: (told) => replacing(told, 'message', [{ ...eventOf(told, 'message'), signer: told.cast.keys.planesNext }]),
    verify: { check: 'receipts', at: 'message', says: 'was not delegated at its position' }, ...signedAnew,
  },
  {
    name: 'a receipt is one of another workspace', history: changing('message', ({ workspace }) => ({ workspace: `${String(workspace).slice(0, -1)}x` })),
    verify: { check: 'receipts', at: 'message', says: 'another workspace' }, fsck: { what: 'foreign', at: 'message' }, pins: rewritten,
  },
  {
    name: 'the same receipt is in the log twice', history: (told) => followedBy('message', 'message', ({ receipt }) => ({ receipt }))(told),
    verify: { check: 'receipts', at: 'copy of message', says: 'at two positions' }, fsck: { unseen: 'No such row can be stored: receipts’ ids are unique in the database.' }, pins: { unseen: 'No such row can be stored.' },
  },
  {
    name: 'a checkpoint is signed by the console’s key', history: (told) => ({ ...told, events: told.events.map((event) => (event.checkpoint ? { ...event, checkpoint: told.cast.keys.console } : event)) }),
    verify: { check: 'checkpoints', says: 'The checkpoint at 10: No known key has signed' }, fsck: consistent, pins: { unseen: 'Receipts and their root are as they were served; the database’s checkpoints are no part of a pin.' },
  },
  { name: 'receipts are left out of the middle, and everything after is signed anew', history: all(without('message', 'finding in message')), verify: { check: 'sessions', at: 'note decided', says: 'The decision saw step' }, ...cutAnew },
];

const record = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});
