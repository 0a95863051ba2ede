import { expect, test } from 'vitest';

import type { ActionRow, ActionStore } from '@/lib/ports/action-store';
import type { ApprovalStore, DeferralRow } from '@/lib/ports/approval-store';
import type { AttemptRow, AttemptStore } from '@/lib/ports/attempt-store';
import type { Transactor } from '@/lib/ports/transaction';
import { aDeferral, anAction, aPermit, at, farOff, later } from '@/lib/testing/row-builders';

export type DeferralFixture = {
  readonly transactor: Transactor;
  readonly approvals: ApprovalStore;
  readonly actions: ActionStore;
  readonly attempts: AttemptStore;
};

const anAttempt = (fields: Pick<AttemptRow, 'deferral'> & Partial<AttemptRow>): AttemptRow => ({
  subject: 'database:orders', name: 'owner', source: 'ip:records', attempt: 1, asked_at: at, answered_at: null, outcome: null, detail: null, ...fields,
});

export function deferralConformance(open: () => DeferralFixture): void {
  const locked = <T>(work: (tx: Parameters<Parameters<Transactor['withHead']>[0]>[0]) => Promise<T>) => open().transactor.withHead((tx) => work(tx));
  const write = (actions: readonly ActionRow[], deferrals: readonly DeferralRow[]) =>
    locked(async (tx) => {
      await open().actions.insert(tx, actions);
      await open().approvals.insertDeferrals(tx, deferrals);
    });
  const deferred = (fields: Partial<ActionRow> = {}) => anAction({ state: 'deferred', decision: 'DEFER', ...fields });
  const released = async (epoch = 0n) => (await open().approvals.releasableDeferrals(epoch, 10)).map(({ action }) => action);

  test('a deferral comes back as it was opened, while open by its session and its action', async () => {
    const { approvals } = open();
    const [head, behind] = [deferred(), deferred({ proposed_at: later })];
    const first = aDeferral({ action: head.id, session: head.session, ask_at: later, missing: '[{"field":"owner"}]' });
    const second = aDeferral({ action: behind.id, session: head.session, created_at: later, waits_for: [head.id], depth: 2 });
    await write([head, behind], [second, first, aDeferral({ session: head.session, state: 'withdrawn' })]);
    expect(await approvals.deferralOf(head.id)).toEqual(first);
    expect(await approvals.openDeferrals(head.session)).toEqual([first, second]);
    expect(await approvals.deferralsOf([behind.id])).toEqual([second]);
    const close = () => locked((tx) => approvals.resolveDeferral(tx, first.id, 'expired', later));
    expect([await close(), await close()]).toEqual([true, false]);
    expect(await approvals.deferralOf(head.id)).toEqual({ ...first, state: 'expired', resolved_at: later });
    expect(await approvals.deferralsOf([head.id, behind.id])).toEqual([second]);
  });

  test('questions about an action come back in the order in which they were asked, whatever became of them', async () => {
    const row = deferred();
    const [first, second] = [aDeferral({ action: row.id, state: 'resolved', question: '{"asked":1}' }), aDeferral({ action: row.id, created_at: later, question: '{"asked":2}' })];
    await write([row], [second, first, aDeferral({ action: row.id, state: 'resolved' }), aDeferral({ question: '{"asked":1}' })]);
    expect(await open().approvals.questionsOf(row.id)).toEqual([first, second]);
  });

  test('it expires by the database’s clock, unless a person is to decide', async () => {
    const [waiting, held] = [deferred(), anAction({ decision: 'DEFER' })];
    const expired = aDeferral({ action: waiting.id, expires_at: later });
    await write([waiting, held], [expired, aDeferral({ action: held.id, expires_at: later }), aDeferral({ action: waiting.id, state: 'withdrawn', expires_at: at })]);
    expect(await open().approvals.expiredDeferrals(10)).toEqual([expired]);
  });

  test('what open ones wait for is known, each once', async () => {
    const [head, other, one, two, over] = [anAction(), anAction(), deferred(), deferred(), deferred()];
    await write([head, other, one, two, over], [
      aDeferral({ action: one.id, waits_for: [head.id] }), aDeferral({ action: two.id, waits_for: [head.id, one.id] }),
      aDeferral({ action: over.id, waits_for: [other.id], state: 'resolved' }),
    ]);
    expect([...(await open().approvals.awaitedActions(10))].toSorted()).toEqual([head.id, one.id].toSorted());
  });

  test('only an open one gets narrower', async () => {
    const { approvals } = open();
    const action = deferred();
    const row = aDeferral({ action: action.id, missing: '[{"field":"a"}]', waits_for: [anAction().id], ask_at: at });
    await write([action], [row]);
    const narrowed = { id: row.id, missing: '[]', waits_for: [], ask: false };
    expect(await locked((tx) => approvals.narrowDeferral(tx, narrowed))).toBe(true);
    expect(await approvals.deferralOf(action.id)).toEqual({ ...row, missing: '[]', waits_for: [] });
    await locked((tx) => approvals.resolveDeferral(tx, row.id, 'resolved', later));
    expect(await locked((tx) => approvals.narrowDeferral(tx, narrowed))).toBe(false);
  });

  test('one that gets somebody to ask is due at once, and one that is due already stays so', async () => {
    const { approvals, attempts } = open();
    const [action, other] = [deferred(), deferred()];
    const [silent, asking] = [aDeferral({ action: action.id, ask_at: null }), aDeferral({ action: other.id, ask_at: farOff })];
    await write([action, other], [silent, asking]);
    for (const { id } of [silent, asking]) await locked((tx) => approvals.narrowDeferral(tx, { id, missing: '[{}]', waits_for: [], ask: true }));
    expect((await attempts.due(10)).map(({ id }) => id)).toEqual([silent.id]);
    expect((await approvals.deferralOf(other.id))?.ask_at).toBe(farOff);
  });

  test.each([
    ['held', false, false], ['deferred', false, false], ['permitted', true, false], ['redeemed', true, false],
    ['succeeded', true, true], ['failed', true, true], ['denied', true, true], ['expired', true, true], ['withdrawn', true, true],
  ] as const)('behind one that is %s: released %s when it only stands there, %s when it depends on it', async (state, standing, depending) => {
    const permit = state === 'held' || state === 'deferred' || state === 'denied' || state === 'withdrawn' ? null : aPermit(farOff);
    const head = anAction({ state, permit });
    const [behind, dependent] = [deferred(), deferred({ depends_on: [head.id] })];
    const waits_for = [head.id];
    await write([head, behind, dependent], [aDeferral({ action: behind.id, waits_for }), aDeferral({ action: dependent.id, waits_for })]);
    expect([(await released()).includes(behind.id), (await released()).includes(dependent.id)]).toEqual([standing, depending]);
  });

  test('one that was decided under an older epoch is to be decided again, one whose time is over is not', async () => {
    const [old, over] = [deferred({ epoch: 3n }), deferred({ epoch: 3n })];
    await write([old, over], [aDeferral({ action: old.id }), aDeferral({ action: over.id, expires_at: later })]);
    expect(await released(3n)).toEqual([]);
    expect(await released(4n)).toEqual([old.id]);
  });

  test('of many that find it due one gets to ask', async () => {
    const { attempts } = open();
    const action = deferred();
    const row = aDeferral({ action: action.id, ask_at: later });
    await write([action], [row, aDeferral({ action: action.id, ask_at: farOff }), aDeferral({ action: action.id, ask_at: null })]);
    expect(await attempts.due(10)).toEqual([row]);
    const claims = await Promise.all(Array.from({ length: 8 }, () => locked((tx) => attempts.askAt(tx, row.id, later, farOff))));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await attempts.due(10)).toEqual([]);
    expect(await locked((tx) => attempts.askAt(tx, row.id, farOff, null))).toBe(true);
  });

  test('an attempt is settled once, and there is no fourth', async () => {
    const { attempts } = open();
    const { id: deferral } = aDeferral();
    const [first, second] = [anAttempt({ deferral }), anAttempt({ deferral, attempt: 2, asked_at: later })];
    await locked((tx) => attempts.begin(tx, [second, first]));
    expect(await attempts.ofDeferrals([deferral])).toEqual([first, second]);
    const settle = (outcome: 'supplied' | 'failed') => locked((tx) => attempts.settle(tx, first, { outcome, at: later, detail: null }));
    expect([await settle('failed'), await settle('supplied')]).toEqual([true, false]);
    expect((await attempts.ofDeferrals([deferral]))[0]).toEqual({ ...first, outcome: 'failed', answered_at: later });
    await expect(locked((tx) => attempts.begin(tx, [first]))).rejects.toThrow();
    await expect(locked((tx) => attempts.begin(tx, [anAttempt({ deferral, attempt: 4 })]))).rejects.toThrow();
  });
}
