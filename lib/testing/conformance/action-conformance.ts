import { expect, test } from 'vitest';

import type { ActionRow, ActionStore } from '@/lib/ports/action-store';
import type { Transactor } from '@/lib/ports/transaction';
import { randomIds } from '@/lib/server/random-ids';
import { aDigest, anAction, aPermit, at, farOff, later } from '@/lib/testing/row-builders';

export type ActionFixture = { readonly transactor: Transactor; readonly actions: ActionStore };

export function actionConformance(open: () => ActionFixture): void {
  const insert = (...rows: readonly ActionRow[]) => open().transactor.withHead((tx) => open().actions.insert(tx, rows));
  const find = async (row: ActionRow) => (await open().actions.find([row.id])).get(row.id);

  test('an action comes back as it was written, with everything on it and with nothing', async () => {
    const bare = anAction();
    const full = anAction({
      reason: 'I “must”, \\ {so}', depends_on: [bare.id], decision: 'MODIFY', state: 'redeemed', guidance: 'Ask.', classification: 'pii',
      snapshot: aDigest('snapshot'), policy: { revision: 4, digest: aDigest('policy') }, permit: aPermit(farOff), redeemed_at: later,
      redeemed_by: randomIds().make('credential'), outcome_due_at: farOff, outcome_at: later, output: aDigest('output'), outcome_error: 'none',
      epoch: 9_007_199_254_740_993n, receipt: { id: randomIds().make('receipt'), index: 9_007_199_254_740_995n },
    });
    await insert(bare, full);
    expect(await find(bare)).toEqual(bare);
    expect(await find(full)).toEqual(full);
    expect(full.permit && (await open().actions.findByPermit(full.permit.id))).toEqual(full);
    expect(await open().actions.findByPermit(randomIds().make('permit'))).toBeUndefined();
  });

  test('a change is taken only from the state it names, and of many at once one wins', async () => {
    const { transactor, actions } = open();
    const action = anAction({ state: 'permitted', decision: 'ALLOW', permit: aPermit(farOff) });
    await insert(action);
    const change = { id: action.id, from: 'permitted', at: later, state: 'redeemed', redeemed_at: later, outcome_due_at: farOff } as const;
    const results = await Promise.all(Array.from({ length: 20 }, () => transactor.withHead((tx) => actions.change(tx, change))));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await find(action)).toEqual({ ...action, state: 'redeemed', redeemed_at: later, outcome_due_at: farOff, changed_at: later });
  });

  test('a change writes exactly the fields it gives, null included', async () => {
    const { transactor, actions } = open();
    const action = anAction({ guidance: 'Ask.', policy: { revision: 1, digest: aDigest('policy') } });
    await insert(action);
    const given = { guidance: null, policy: null, permit: aPermit(farOff), decision: 'ALLOW', state: 'permitted', epoch: 8n } as const;
    await transactor.withHead((tx) => actions.change(tx, { id: action.id, from: 'held', at: later, ...given }));
    expect(await find(action)).toEqual({ ...action, ...given, changed_at: later });
  });

  test('an action is never permitted without its permit', async () => {
    await expect(insert(anAction({ state: 'permitted' }))).rejects.toThrow();
  });

  test('no two actions have one permit', async () => {
    const permit = aPermit(farOff);
    await expect(insert(anAction({ permit }), anAction({ permit }))).rejects.toThrow();
  });

  test('a session’s actions come oldest first and in the asked states only', async () => {
    const { session } = anAction();
    const second = anAction({ session, proposed_at: later });
    const first = anAction({ session, proposed_at: at });
    await insert(second, first, anAction({ session, state: 'denied', decision: 'DENY' }), anAction());
    expect(await open().actions.ofSession(session, ['held', 'deferred'])).toEqual([first, second]);
  });

  test('those that wait are counted for the session, the agent and the human', async () => {
    const mine = anAction({ proposed_at: later });
    const { session, agent, human } = mine;
    await insert(mine, anAction(), anAction({ agent: 'other' }), anAction({ session, agent: 'other', human: 'bob@example.com', state: 'deferred' }),
      anAction({ session, state: 'denied' }));
    const counts = { session: 2, agent: 2, human: 3, agent_since: 1 };
    expect(await open().actions.countWaiting({ session, agent, human, since: later })).toEqual(counts);
  });

  test('what was new in the last minute counts whatever became of it, if it ever had to wait', async () => {
    const gone = { proposed_at: later, agent: 'busy' } as const;
    const one = anAction({ ...gone, state: 'withdrawn' });
    await insert(one, anAction({ ...gone, state: 'denied', decision: 'DEFER' }), anAction({ ...gone, state: 'denied', decision: 'DENY' }),
      anAction({ ...gone, state: 'permitted', decision: 'ALLOW', permit: aPermit(farOff) }), anAction({ ...gone, proposed_at: at, state: 'withdrawn' }));
    const { agent_since } = await open().actions.countWaiting({ session: one.session, agent: 'busy', human: one.human, since: later });
    expect(agent_since).toBe(2);
  });

  test('of sessions those are told in which something waits or a person denied something', async () => {
    const [held, deferred, over] = [anAction(), anAction({ state: 'deferred', decision: 'DEFER' }), anAction({ state: 'withdrawn' })];
    const refused = anAction({ state: 'denied', code: 'approval_denied' });
    await insert(held, deferred, over, refused, anAction({ session: over.session, state: 'denied', code: 'denied_by_rule' }));
    expect((await open().actions.deniedByPeople(refused.session)).map(({ id }) => id)).toEqual([refused.id]);
    expect(await open().actions.deniedByPeople(over.session)).toEqual([]);
    const waiting = await open().transactor.withHead((tx) => open().actions.sessionsWaiting(tx, [held.session, deferred.session, over.session, refused.session, anAction().session]));
    expect([...waiting].toSorted()).toEqual([held.session, deferred.session, refused.session].toSorted());
  });

  test('permits that ran out and outcomes that are overdue are found, and those in time are not', async () => {
    const expired = anAction({ state: 'permitted', permit: aPermit(at) });
    const overdue = anAction({ state: 'redeemed', permit: aPermit(at), outcome_due_at: later });
    await insert(expired, overdue, anAction({ state: 'permitted', permit: aPermit(farOff) }),
      anAction({ state: 'redeemed', permit: aPermit(at), outcome_due_at: farOff }), anAction({ state: 'expired', permit: aPermit(at) }));
    const found = (await open().actions.overdue(10)).map(({ id }) => id);
    expect(found.toSorted()).toEqual([expired.id, overdue.id].toSorted());
    expect(await open().actions.overdue(1)).toHaveLength(1);
  });
}
