import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { impacts } from '@/lib/shared/impact';
import { keyId } from '@/lib/shared/ids';
import { listedPerson, person, testId } from '@/lib/testing/authority-documents';
import { digestOfDigit, heldDeletion } from '@/lib/testing/held-actions';

import { eligibleApprovers, quorumIsReachable } from './eligible-approvers';
import type { ApproverRule } from './held-action';
import { neededQuorum } from './needed-quorum';
import { tallyQuorum } from './quorum';
import { separationOf } from './separation';
import type { VerifiedVote } from './verify-vote';
import type { VoteStatement } from './vote';

const basis = digestOfDigit('a');
const names = ['ann', 'bob', 'cat', 'dan', 'eve'] as const;
const rule = (changes: Partial<ApproverRule> = {}): ApproverRule => ({ groups: ['security', 'finance'], all_groups: false, quorum: 2, separation: true, ...changes });

const vote = (name: string, changes: Partial<VerifiedVote> = {}): VerifiedVote => ({
  request: testId('approval', 'delete1'),
  basis_digest: basis,
  person: person(name),
  groups: ['security'],
  key: keyId(digestOfDigit('1')),
  key_kind: 'file-ed25519',
  involvement: 'none',
  statement: {} as VoteStatement,
  ...changes,
});

const held = (changes: Partial<ApproverRule> = {}) => heldDeletion({ approvers: rule(changes) });

describe('a quorum', () => {
  test('is never met by fewer different people than it needs, however often and with however many keys they vote', () => {
    const votes = fc.array(fc.record({ name: fc.constantFrom(...names), key: fc.constantFrom('1', '2', '3') }), { maxLength: 30 });
    fc.assert(
      fc.property(votes, fc.integer({ min: 1, max: 6 }), fc.constantFrom(...impacts), (cast, quorum, impact) => {
        const on = heldDeletion({ approvers: rule({ quorum }), impact });
        const tally = tallyQuorum(cast.map(({ name, key }) => vote(name, { key: keyId(digestOfDigit(key)) })), on, basis);
        const different = new Set(cast.map(({ name }) => name)).size;
        expect(tally.given).toHaveLength(different);
        expect(tally.met).toBe(different >= Math.max(quorum, impact === 'critical' ? 2 : 1));
      }),
    );
  });

  test('does not see votes on another basis or for another request', () => {
    const strays = [vote('bob', { basis_digest: digestOfDigit('b') }), vote('cat', { request: testId('approval', 'other') })];
    expect(tallyQuorum([vote('ann'), ...strays], held(), basis)).toEqual({ needed: 2, given: [person('ann')], groups_missing: [], met: false });
  });

  test('needs each group where all must take part', () => {
    const all = held({ all_groups: true });
    expect(tallyQuorum([vote('ann'), vote('bob')], all, basis)).toMatchObject({ met: false, groups_missing: ['finance'] });
    expect(tallyQuorum([vote('ann'), vote('bob', { groups: ['finance'] })], all, basis).met).toBe(true);
    expect(tallyQuorum([vote('ann', { groups: ['security', 'finance'] })], all, basis)).toMatchObject({ met: false, groups_missing: [] });
  });

  test('of critical impact is two, whatever the policy says', () => {
    expect(impacts.map((impact) => neededQuorum({ approvers: rule({ quorum: 1 }), impact }))).toEqual([1, 1, 1, 2]);
  });
});

describe('separation of duties', () => {
  test('bars the requester under any spelling of their address, and by id under any address', () => {
    const spelling = fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }).map((upper) =>
      Array.from('priya@halden.example', (letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''));
    fc.assert(
      fc.property(spelling, fc.constantFrom('', ' ', '\t'), (email, space) => {
        const on = heldDeletion({ identity: { ...heldDeletion().identity, human: `${space}${email}${space}`, human_person: null } });
        expect(separationOf({ id: person('other'), email: 'priya@halden.example' }, on)).toEqual({ involvement: 'requester', barred: true });
      }),
    );
    expect(separationOf({ id: person('priya'), email: 'new@halden.example' }, heldDeletion()).barred).toBe(true);
  });

  test('leaves everybody else alone', () => {
    expect(separationOf({ id: person('ben'), email: 'ben@halden.example' }, heldDeletion())).toEqual({ involvement: 'none', barred: false });
  });
});

describe('routing', () => {
  const people = [listedPerson('ben'), listedPerson('priya'), listedPerson('root'), listedPerson('fay', { groups: ['finance'] }), listedPerson('gus', { suspended: true })];

  test('counts members who are neither suspended nor part of the request', () => {
    expect(eligibleApprovers(held(), people).map(({ name }) => name)).toEqual(['ben', 'fay']);
  });

  test.each<[string, Partial<ApproverRule>, boolean]>([
    ['two of two groups', {}, true],
    ['more than there are', { quorum: 3 }, false],
    ['an empty list, which never means anyone', { groups: [], quorum: 1 }, false],
    ['a group that nobody belongs to', { groups: ['legal'], quorum: 1 }, false],
    ['all groups, one of them empty', { groups: ['security', 'legal'], all_groups: true, quorum: 1 }, false],
    ['any group, one of them empty', { groups: ['security', 'legal'], quorum: 1 }, true],
  ])('%s can approve: %s', (_, changes, wanted) => {
    expect(quorumIsReachable(held(changes), people)).toBe(wanted);
  });
});
