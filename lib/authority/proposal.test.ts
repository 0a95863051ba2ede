import { describe, expect, it } from 'vitest';

import { signersThatCount } from './signers-that-count';
import { isLive, nextProposalState, proposalStates, type ProposalEvent, type ProposalState } from './proposal';

const enough = { kind: 'apply', counted: 2, needed: 2 } as const;
const short = { kind: 'apply', counted: 1, needed: 2 } as const;
const over = 'already_resolved';

/** Every state with every event: the state that follows, or the code of the refusal. */
const table: { readonly [S in ProposalState]: readonly [event: ProposalEvent, then: string][] } = {
  open: [
    [{ kind: 'prove' }, 'open'], [{ kind: 'sign' }, 'signed'], [enough, 'policy_signers_too_few'], [short, 'policy_signers_too_few'],
    [{ kind: 'reject' }, 'rejected'], [{ kind: 'withdraw' }, 'withdrawn'], [{ kind: 'outdate' }, 'stale'],
  ],
  signed: [
    [{ kind: 'prove' }, 'conflict'], [{ kind: 'sign' }, 'signed'], [enough, 'applied'], [short, 'policy_signers_too_few'],
    [{ kind: 'reject' }, 'rejected'], [{ kind: 'withdraw' }, 'withdrawn'], [{ kind: 'outdate' }, 'stale'],
  ],
  applied: [[{ kind: 'prove' }, over], [{ kind: 'sign' }, over], [enough, over], [short, over], [{ kind: 'reject' }, over], [{ kind: 'withdraw' }, over], [{ kind: 'outdate' }, over]],
  rejected: [[{ kind: 'prove' }, over], [{ kind: 'sign' }, over], [enough, over], [short, over], [{ kind: 'reject' }, over], [{ kind: 'withdraw' }, over], [{ kind: 'outdate' }, over]],
  withdrawn: [[{ kind: 'prove' }, over], [{ kind: 'sign' }, over], [enough, over], [short, over], [{ kind: 'reject' }, over], [{ kind: 'withdraw' }, over], [{ kind: 'outdate' }, over]],
  stale: [[{ kind: 'prove' }, over], [{ kind: 'sign' }, over], [enough, over], [short, over], [{ kind: 'reject' }, over], [{ kind: 'withdraw' }, over], [{ kind: 'outdate' }, over]],
};

describe('a proposal', () => {
  it.each(proposalStates.flatMap((state) => table[state].map(([event, then]) => [state, event.kind, then, event] as const)))('that is %s and meets %s becomes, or answers, %s', (state, _kind, then, event) => {
    const next = nextProposalState(state, event);
    expect(next.ok ? next.value : next.error.code).toBe(then);
  });

  it('that has ended is not live, and nothing brings it back', () => {
    expect(proposalStates.filter(isLive)).toEqual(['open', 'signed']);
  });
});

describe('who counts', () => {
  const people = ['per_a', 'per_b', 'per_c'] as never;
  it('one owner is enough for an own proposal where one is asked for', () => expect(signersThatCount(people, 1, ['per_a'])).toHaveLength(3));
  it('whoever had a hand in proposing does not count where two are', () => expect(signersThatCount(people, 2, ['per_a', 'per_c'])).toEqual(['per_b']));
});
