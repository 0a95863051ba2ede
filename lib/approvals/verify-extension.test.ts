import { describe, expect, it } from 'vitest';

import type { RosterPerson } from '@/lib/authority/roster';
import { signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { keyKinds, type KeyKind } from '@/lib/shared/keys';
import { cryptography, listedKey, listedPerson, person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit, heldDeletion } from '@/lib/testing/held-actions';

import type { PendingApproval } from './approval-state';
import { extensionPayloadType, signExtension, type Extension } from './extension';
import { latestEnd, pendingApproval } from './pending-approval';
import { verifyExtension } from './verify-extension';

const held = heldDeletion();
const now = '2027-03-01T14:20:00.000Z';
const basis = digestOfDigit('b');
const state = pendingApproval(held, basis, held.held_at);
const people = [listedPerson('ben'), listedPerson('priya'), listedPerson('root'), listedPerson('carl', { groups: ['backup'] }), listedPerson('dora', { suspended: true })];

type Scene = { readonly by?: string; readonly key?: string; readonly says?: Partial<Extension>; readonly now?: string; readonly state?: Partial<PendingApproval>; readonly kinds?: readonly KeyKind[]; readonly people?: readonly RosterPerson[] };

async function extend({ by = 'ben', key = by, says = {}, ...scene }: Scene = {}) {
  const extension: Extension = { request: held.approval, basis_digest: basis, person: person(by), expires_at: '2027-03-01T14:50:00.000Z', ...says };
  const envelope = await signExtension(extension, now, listedKey(key).signer);
  const context = { held, state: { ...state, ...scene.state }, now: scene.now ?? now, approver: (id: string) => (scene.people ?? people).find((one) => one.id === id), keyKinds: scene.kinds ?? keyKinds, verify: cryptography.verify };
  const result = await verifyExtension(envelope, context);
  return result.ok ? result.value.state.expires_at : result.error.code;
}

describe('an extension', () => {
  it('moves the end as far as it says, up to twice the first time', async () => {
    expect(await extend()).toBe('2027-03-01T14:50:00.000Z');
    expect(await extend({ says: { expires_at: state.ends_by } })).toBe('2027-03-01T15:03:41.000Z');
  });

  it('counts from somebody whom an escalation asked', async () => {
    expect(await extend({ by: 'carl' })).toBe('not_an_approver');
    expect(await extend({ by: 'carl', state: { asked: ['security', 'backup'] } })).toBe('2027-03-01T14:50:00.000Z');
  });

  it.each<[string, Scene, string]>([
    ['beyond twice the first time', { says: { expires_at: '2027-03-01T15:03:41.001Z' } }, 'invalid_input'],
    ['to before the end', { says: { expires_at: held.expires_at } }, 'invalid_input'],
    ['after the end', { now: held.expires_at }, 'approval_expired'],
    ['by the person whom the agent acts for', { by: 'priya' }, 'separation_of_duties'],
    ['by whoever registered the agent', { by: 'root' }, 'separation_of_duties'],
    ['by somebody who is suspended', { by: 'dora' }, 'not_an_approver'],
    ['by somebody whom the roster does not list', { by: 'ben', people: [] }, 'not_an_approver'],
    ['with somebody else’s key', { key: 'carl' }, 'key_not_enrolled'],
    ['with a kind of key that may not', { kinds: ['passkey'] }, 'key_kind_refused'],
    ['for another request', { says: { request: testId('approval', 'other') } }, 'approval_stale'],
    ['on another basis', { says: { basis_digest: digestOfDigit('c') } }, 'approval_stale'],
  ])('%s is refused', async (_what, scene, code) => {
    expect(await extend(scene)).toBe(code);
  });

  it('is nothing but a document of its own type, strictly read', async () => {
    const context = { held, state, now, approver: () => people[0], keyKinds, verify: cryptography.verify };
    for (const text of ['{}', '{"expires_at":"2027-03-01T14:50:00.000Z"}', 'x']) {
      expect(await verifyExtension(await signEnvelope(extensionPayloadType, utf8(text), [listedKey('ben').signer]), context)).toMatchObject({ error: { code: 'signature_invalid' } });
    }
    const extension: Extension = { request: held.approval, basis_digest: basis, person: person('ben'), expires_at: '2027-03-01T14:50:00.000Z' };
    const envelope = await signExtension(extension, now, listedKey('ben').signer);
    expect(await verifyExtension({ ...envelope, payloadType: 'application/vnd.countersign.vote' }, context)).toMatchObject({ error: { code: 'signature_invalid' } });
    expect(await verifyExtension({ ...envelope, signatures: [...envelope.signatures, ...envelope.signatures] }, context)).toMatchObject({ error: { code: 'signature_invalid' } });
  });
});

describe('the latest end', () => {
  it.each([
    ['is twice the first time', held.held_at, '2027-03-01T15:03:41.000Z'],
    ['is never beyond a day after the action was proposed, which may have waited for context before', '2027-02-28T14:40:00.000Z', '2027-03-01T14:40:00.000Z'],
  ])('%s', (_what, proposedAt, end) => {
    expect(latestEnd(held, proposedAt)).toBe(end);
  });
});
