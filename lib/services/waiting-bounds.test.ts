import { describe, expect, test } from 'vitest';

import { randomIds } from '@/lib/server/random-ids';

import { isOver, withThoseBefore, type WaitingBounds } from './waiting-bounds';

const limits = { held_per_session: 20, held_per_agent: 50, held_per_human: 100, new_per_minute: 30 };
const none = { session: 0, agent: 0, human: 0, agent_since: 0 };
const [here, there] = [randomIds().make('session'), randomIds().make('session')];
const bounds = (of: Partial<WaitingBounds['of']> = {}): WaitingBounds => ({ limits, of: { session: here, agent: 'helper', human: 'ada@example.com', since: '2027-03-01T14:00:00.000Z', ...of } });

describe('how much may wait', () => {
  test.each([['session', 20], ['agent', 50], ['human', 100], ['agent_since', 30]] as const)('of one %s is %s', (what, most) => {
    expect(isOver({ ...none, [what]: most - 1 }, limits)).toBe(false);
    expect(isOver({ ...none, [what]: most }, limits)).toBe(true);
  });

  test('counts what is written in the same commit, for whom it is alike', () => {
    const before = [bounds(), bounds({ session: there }), bounds({ session: there, agent: 'other' }), bounds({ session: there, agent: 'third', human: 'bob@example.com' })];
    expect(withThoseBefore(none, bounds(), before)).toEqual({ session: 1, agent: 2, human: 3, agent_since: 2 });
    expect(withThoseBefore({ session: 3, agent: 4, human: 5, agent_since: 6 }, bounds(), [])).toEqual({ session: 3, agent: 4, human: 5, agent_since: 6 });
  });
});
