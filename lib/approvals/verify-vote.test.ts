import { describe, expect, test } from 'vitest';

import type { RosterPerson } from '@/lib/authority/roster';
import { signEnvelope, type Envelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { keyKinds, type KeyKind } from '@/lib/shared/keys';
import { cryptography, listedKey, listedPerson, person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit, heldDeletion } from '@/lib/testing/held-actions';
import { nodeSha256 } from '@/lib/testing/node-crypto';

import { checksOf } from './checks';
import type { HeldAction } from './held-action';
import { verifyVote } from './verify-vote';
import { votePayloadType, type VoteStatement } from './vote';
import { signVote, voteBytes, voteStatement } from './vote-statement';

const held = heldDeletion();
const now = '2027-03-01T14:10:00.000Z';
const people = [listedPerson('ben'), listedPerson('priya'), listedPerson('root'), listedPerson('carl', { groups: ['finance'] }), listedPerson('dora', { suspended: true })];

type Scene = {
  readonly now?: string;
  readonly people?: readonly RosterPerson[];
  readonly keyKinds?: readonly KeyKind[];
  /** What is held when the vote is checked, when it is not what was signed. */
  readonly heldNow?: HeldAction;
};

const statementBy = (name: string, on: HeldAction = held, changes: Partial<VoteStatement> = {}): VoteStatement => ({
  ...voteStatement(
    on,
    {
      verdict: 'approve',
      reason: 'The import is ours.',
      checks: checksOf(on).map(({ id }) => id),
      nonce: '0'.repeat(32),
      voter: { person: person(name), key: listedKey(name).entry.id, key_kind: 'file-ed25519' },
      signed_at: now,
    },
    nodeSha256,
  ),
  ...changes,
});

const check = async (envelope: Envelope, scene: Scene = {}) =>
  verifyVote(envelope, {
    held: scene.heldNow ?? held,
    approver: (id) => (scene.people ?? people).find((one) => one.id === id),
    keyKinds: scene.keyKinds ?? keyKinds,
    now: scene.now ?? now,
    ...cryptography,
  });

const code = async (statement: VoteStatement, scene: Scene = {}, signer = 'ben') => {
  const result = await check(await signVote(statement, listedKey(signer).signer), scene);
  return result.ok ? 'counts' : result.error.code;
};

describe('an approval', () => {
  test('counts with the approver’s own key on what is held now', async () => {
    const statement = statementBy('ben');
    expect(await check(await signVote(statement, listedKey('ben').signer))).toEqual({
      ok: true,
      value: {
        request: held.approval,
        basis_digest: statement.basis_digest,
        person: person('ben'),
        groups: ['security'],
        key: listedKey('ben').entry.id,
        key_kind: 'file-ed25519',
        involvement: 'none',
        statement,
      },
    });
  });

  test('does not count with any single byte of its payload or signature changed', async () => {
    const envelope = await signVote(statementBy('ben'), listedKey('ben').signer);
    const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const sig = envelope.signatures[0]?.sig ?? '';
    for (let at = 0; at < envelope.payload.length - 4; at += 7) {
      expect((await check({ ...envelope, payload: flip(envelope.payload, at) })).ok).toBe(false);
    }
    for (let at = 0; at < sig.length - 4; at++) {
      expect((await check({ ...envelope, signatures: [{ keyid: listedKey('ben').entry.id, sig: flip(sig, at) }] })).ok).toBe(false);
    }
  });

  test('of somebody else’s key does not count', async () => {
    expect(await code(statementBy('ben'), {}, 'priya')).toBe('signature_invalid');
    const stranger = { person: person('ben'), key: listedKey('eve').entry.id, key_kind: 'file-ed25519' } as const;
    expect(await code(statementBy('ben', held, { voter: stranger }), {}, 'eve')).toBe('key_not_enrolled');
  });

  test('with a second signature beside it does not count', async () => {
    const both = await signEnvelope(votePayloadType, voteBytes(statementBy('ben')), [listedKey('ben').signer, listedKey('eve').signer]);
    expect(await check(both)).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
  });

  test('signed as another kind of statement does not count', async () => {
    const other = await signEnvelope('application/vnd.countersign.policy', voteBytes(statementBy('ben')), [listedKey('ben').signer]);
    expect(await check(other)).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
    const text = await signEnvelope(votePayloadType, utf8('{}'), [listedKey('ben').signer]);
    expect(await check(text)).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
    expect(await code(statementBy('ben', held, { verdict: 'deny' }))).toBe('signature_invalid');
  });

  test('needs a kind of key that the trust root allows, and cannot claim another', async () => {
    expect(await code(statementBy('ben'), { keyKinds: ['passkey'] })).toBe('key_kind_refused');
    const claimed = { person: person('ben'), key: listedKey('ben').entry.id, key_kind: 'passkey' } as const;
    expect(await code(statementBy('ben', held, { voter: claimed }), { keyKinds: ['passkey'] })).toBe('signature_invalid');
  });

  test('needs the person to be in a group that it is routed to', async () => {
    expect(await code(statementBy('carl'), {}, 'carl')).toBe('not_an_approver');
    expect(await code(statementBy('dora'), {}, 'dora')).toBe('not_an_approver');
    expect(await code(statementBy('ben'), { people: [] })).toBe('not_an_approver');
    const nobody = heldDeletion({ approvers: { ...held.approvers, groups: [] } });
    expect(await code(statementBy('ben', nobody), { heldNow: nobody })).toBe('not_an_approver');
  });

  test('of the requester, or of whoever registered the agent, does not count', async () => {
    expect(await code(statementBy('priya'), {}, 'priya')).toBe('separation_of_duties');
    expect(await code(statementBy('root'), {}, 'root')).toBe('separation_of_duties');
  });

  test('of the requester counts where the policy switches separation off, and says so', async () => {
    const solo = heldDeletion({ approvers: { ...held.approvers, separation: false } });
    const result = await check(await signVote(statementBy('priya', solo), listedKey('priya').signer), { heldNow: solo });
    expect(result).toMatchObject({ ok: true, value: { involvement: 'requester' } });
    const critical = { ...solo, impact: 'critical' as const };
    expect(await code(statementBy('priya', critical), { heldNow: critical }, 'priya')).toBe('separation_of_duties');
  });

  test.each<[string, Partial<HeldAction>]>([
    ['another request', { approval: testId('approval', 'other') }],
    ['another action', { action_id: testId('action', 'other') }],
    ['other parameters', { action: { tool: 'database', operation: 'delete', parameters: { table: 'crm.contacts' } } }],
    ['another a′', { transformed: null }],
    ['another policy', { policy: { revision: 4, digest: digestOfDigit('b') } }],
    ['risen labels', { labels: ['CONFIDENTIAL', 'PII', 'SECRET'] }],
    ['another identity', { identity: { ...held.identity, agent: 'other-agent' } }],
    ['another expiry', { expires_at: '2027-03-01T15:00:00.000Z' }],
    ['another precondition', { preconditions: [{ name: 'precondition.digest', value: 'x' }] }],
    ['a rule that read another value', { rules: [{ id: 'hold-deletes', action: 'STEP_UP', classification: 'static', reason: 'Deletions are countersigned.', read: [{ field: 'parameters.limit', value: 9 }] }] }],
    ['another screen', { requests: [] }],
  ])('does not count for %s', async (_, changes) => {
    expect(await code(statementBy('ben'), { heldNow: heldDeletion(changes) })).toBe('approval_stale');
  });

  test('drawn by another renderer does not count', async () => {
    const view = { ...statementBy('ben').view, renderer: 'countersign-view/0' };
    expect(await code(statementBy('ben', held, { view }))).toBe('approval_stale');
  });

  test('loses from the instant of the expiry on, by the database’s clock, whatever it says itself', async () => {
    expect(await code(statementBy('ben'), { now: '2027-03-01T14:33:40.999Z' })).toBe('counts');
    expect(await code(statementBy('ben'), { now: held.expires_at })).toBe('approval_expired');
    expect(await code(statementBy('ben', held, { signed_at: '2027-03-01T14:00:00.000Z' }), { now: '2027-03-01T14:40:00.000Z' })).toBe('approval_expired');
  });

  test('needs every check that the view shows', async () => {
    expect(checksOf(held).length).toBeGreaterThan(1);
    const all = checksOf(held).map(({ id }) => id);
    for (const left of all) {
      expect(await code(statementBy('ben', held, { checks: all.filter((id) => id !== left) }))).toBe('checks_missing');
    }
  });

  test('needs a reason from high impact on', async () => {
    const without = (on: HeldAction): VoteStatement => {
      const { reason: _reason, ...rest } = statementBy('ben', on);
      return rest;
    };
    const high = heldDeletion({ impact: 'high' });
    expect(await code(without(held))).toBe('counts');
    expect(await code(without(high), { heldNow: high })).toBe('reason_required');
    expect(await code({ ...without(high), reason: '  ' }, { heldNow: high })).toBe('reason_required');
    expect(await code(statementBy('ben', high), { heldNow: high })).toBe('counts');
  });
});
