import { describe, expect, it } from 'vitest';

import type { HeldAction } from '@/lib/approvals/held-action';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { heldDeletion } from '@/lib/testing/held-actions';
import { testId, testKeys, testTime } from '@/lib/testing/ledger-builder';
import { approvedAction, beginStory, people, session, storyRoot, storyRoster, type HeldChanges } from '@/lib/testing/ledger-story';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature, testKey } from '@/lib/testing/node-crypto';

import type { CheckId } from './report';
import { verifyBundle } from './verify-bundle';

const votePosition = 6;

async function failuresOf(changes: HeldChanges, root = storyRoot, roster = storyRoster) {
  const ledger = await beginStory(root, roster);
  await approvedAction(ledger, 1, 1, changes);
  await ledger.checkpoint();
  const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
  return report.checks.filter(({ state }) => state === 'fail');
}

const voteFault = async (changes: HeldChanges, root = storyRoot, roster = storyRoster) => {
  const failures = await failuresOf(changes, root, roster);
  const expected: CheckId[] = ['votes'];
  expect(failures.map(({ id }) => id).filter((id) => id === 'votes')).toEqual(expected);
  return failures.find(({ id }) => id === 'votes');
};

const otherDigest = digestOf(sha256, utf8('other'));

describe('votes', () => {
  it('a signed approval on the basis that was asked holds', async () => {
    expect(await failuresOf({})).toEqual([]);
  });

  it('a signature by a key that the roster does not list for the voter is refused, at the vote’s position', async () => {
    const fault = await voteFault({ signer: testKey('stranger') });
    expect(fault).toMatchObject({ detail: expect.stringContaining('does not list this key'), firstBad: votePosition });
  });

  it('another person’s key does not sign for the voter', async () => {
    expect((await voteFault({ signer: testKeys.owner }))?.detail).toContain('does not list this key');
  });

  it.each<[string, HeldChanges, string]>([
    ['a signature over another basis', { statement: { basis_digest: otherDigest } }, 'another request'],
    ['a signature over another request', { statement: { request: testId('approval', 9) } }, 'another request'],
    ['a signed denial recorded as an approval', { statement: { verdict: 'deny' } }, 'another verdict'],
    ['a signature in another person’s name', { statement: { voter: { person: people.owner, key: testKeys.owner.signer.keyId as never, key_kind: 'file-ed25519' } } }, 'another person'],
    ['a vote recorded on another basis than was asked', { vote: { basis_digest: otherDigest } }, 'another basis'],
    ['a vote for another action', { vote: { action: { id: testId('action', 1), digest: otherDigest } } }, 'another action'],
    ['a vote after expiry', { request: { expires_at: testTime(votePosition) } }, 'expired'],
    ['a statement that is not the signed one', { vote: { statement: '{"verdict":"approve"}' } }, 'not the recorded one'],
    ['a vote of somebody the request was not routed to', { request: { approvers: ['finance'] } }, 'not routed'],
    ['a vote of somebody who is excluded', { request: { excluded: [people.approver] } }, 'Separation of duties'],
    ['a basis that is not the one people signed', { request: { basis: canonicalJson({ request: testId('approval', 1), action: { id: testId('action', 1) }, more: 1 }) } }, 'not the one whose digest'],
  ])('%s is refused', async (_what, changes, detail) => {
    expect((await voteFault(changes))?.detail).toContain(detail);
  });

  it('a denial needs no signature, and never counts towards the quorum', async () => {
    const ledger = await beginStory();
    await approvedAction(ledger, 1, 1, { vote: { verdict: 'deny' } });
    await ledger.checkpoint();
    const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
    expect(report.checks.filter(({ state }) => state === 'fail').map(({ id }) => id)).toEqual(['pairing']);
  });

  it('the session’s own human may not approve, even when the receipt forgets to exclude them', async () => {
    const roster = { ...storyRoster, people: storyRoster.people.map((one) => (one.id === people.approver ? { ...one, email: 'requester@corp.example' } : { ...one, email: `x${one.email}` })) };
    expect((await voteFault({ request: { excluded: [] } }, storyRoot, roster))?.detail).toContain('Separation of duties');
  });

  it('separation of duties that a policy switched off still holds for critical impact', async () => {
    const off = { request: { separation: false, excluded: [people.approver] } };
    expect(await failuresOf(off)).toEqual([]);
    expect((await voteFault({ ...off, decision: { impact: 'critical' } }))?.detail).toContain('Separation of duties');
  });

  it('a suspended person’s vote is refused', async () => {
    const roster = { ...storyRoster, people: storyRoster.people.map((one) => (one.id === people.approver ? { ...one, suspended: true } : one)) };
    expect((await voteFault({}, storyRoot, roster))?.detail).toContain('active person');
  });

  it('a kind of key that the trust root does not let approve this impact is refused', async () => {
    const root = { ...storyRoot, key_kinds: { ...storyRoot.key_kinds, medium: ['passkey' as const] } };
    expect((await voteFault({}, root))?.detail).toContain('browser-ed25519');
  });

  describe('where the bundle has what was held', () => {
    const held = (more: Partial<HeldAction> = {}): NonNullable<HeldChanges['held']> => (approval, action_id) =>
      heldDeletion({ approval, action_id, session, approvers: { groups: ['approver'], all_groups: false, quorum: 1, separation: true }, expires_at: testTime(80_000), ...more });

    it('basis and screen are made again, and the vote is on them', async () => {
      expect(await failuresOf({ held: held() })).toEqual([]);
    });

    it.each([
      ['renderer', { renderer: 'countersign-view/0', locale: 'en' }],
      ['locale', { renderer: 'countersign-view/1', locale: 'ja' }],
    ])('a vote on a screen of another %s is checked in all but its view, and that is said', async (_what, drawn) => {
      const view = { digest: otherDigest, ...drawn };
      const ledger = await beginStory();
      await approvedAction(ledger, 1, 1, { held: held(), statement: { view } });
      await ledger.checkpoint();
      const report = await verifyBundle(await ledger.bytes(), { sha256, verifySignature });
      expect(report.checks.find(({ id }) => id === 'votes')).toMatchObject({ state: 'unknown', detail: expect.stringContaining('renderer') });
      const unticked = await voteFault({ held: held(), statement: { view, checks: [] } });
      expect(unticked?.detail).toContain('Not ticked');
    });

    it('where all groups must approve, each has somebody who did', async () => {
      const both = { groups: ['approver', 'finance'], all_groups: true, quorum: 1, separation: true };
      const changes: HeldChanges = { held: held({ approvers: both }), request: { approvers: both.groups } };
      expect((await voteFault(changes))?.detail).toBe('All groups had to approve, and nobody of finance did.');
      const roster = { ...storyRoster, people: storyRoster.people.map((one) => (one.id === people.approver ? { ...one, groups: both.groups } : one)) };
      expect(await failuresOf(changes, storyRoot, roster)).toEqual([]);
    });

    it.each<[string, HeldChanges, string]>([
      ['a vote on another screen', { held: held(), statement: { view: { digest: otherDigest, renderer: 'countersign-view/1', locale: 'en' } } }, 'another view'],
      ['a vote without the checks ticked', { held: held(), statement: { checks: [] } }, 'Not ticked'],
      ['a vote on high impact without a reason', { held: held({ impact: 'high' }) }, 'needs a reason'],
      ['a request whose held action is another’s', { held: (approval) => held()(approval, testId('action', 9)) }, 'another request or action'],
      ['a vote that separation of duties bars', { held: held({ identity: { ...heldDeletion().identity, registered_by: people.approver } }) }, 'Separation of duties bars'],
    ])('%s is refused', async (_what, changes, detail) => {
      expect((await voteFault(changes))?.detail).toContain(detail);
    });
  });
});
