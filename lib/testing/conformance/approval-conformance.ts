import { expect, test } from 'vitest';

import type { ActionStore } from '@/lib/ports/action-store';
import type { ApprovalRow, ApprovalStore } from '@/lib/ports/approval-store';
import type { SessionStore } from '@/lib/ports/session-store';
import type { Transactor } from '@/lib/ports/transaction';
import { aDigest, anAction, anApproval, aPermit, aSession, aVote, farOff, later } from '@/lib/testing/row-builders';

export type ApprovalFixture = { readonly transactor: Transactor; readonly approvals: ApprovalStore; readonly actions: ActionStore; readonly sessions: SessionStore };

export function approvalConformance(open: () => ApprovalFixture): void {
  const insert = (...rows: readonly ApprovalRow[]) => open().transactor.withHead((tx) => open().approvals.insert(tx, rows));
  const resolve = (row: ApprovalRow, state: 'approved' | 'denied') =>
    open().transactor.withHead((tx) => open().approvals.resolve(tx, row.id, { state, at: later, by: 'ada@example.com', resolution: 'because' }));

  test('an approval comes back as it was asked for', async () => {
    const approval = anApproval();
    await insert(approval);
    expect(await open().approvals.find(approval.id)).toEqual(approval);
    expect(await open().approvals.ofAction(approval.action)).toEqual(approval);
    expect(await open().approvals.find(anApproval().id)).toBeUndefined();
  });

  test('of two resolutions at once one stands', async () => {
    const approval = anApproval();
    await insert(approval);
    const results = await Promise.all([resolve(approval, 'approved'), resolve(approval, 'denied')]);
    expect(results.filter(Boolean)).toHaveLength(1);
    const state = results[0] ? 'approved' : 'denied';
    const resolved = { state, resolved_at: later, resolved_by: 'ada@example.com', resolution: 'because' };
    expect(await open().approvals.find(approval.id)).toEqual({ ...approval, ...resolved });
  });

  test('the pending approval of an action is the one that counts, else its latest', async () => {
    const first = anApproval({ state: 'stale' });
    const second = anApproval({ action: first.action, state: 'superseded', created_at: later });
    await insert(first, second);
    expect((await open().approvals.ofAction(first.action))?.id).toBe(second.id);
    const pending = anApproval({ action: first.action });
    await insert(pending);
    expect((await open().approvals.ofAction(first.action))?.id).toBe(pending.id);
  });

  test('a person votes once on a request; votes come back in order', async () => {
    const { transactor, approvals } = open();
    const approval = anApproval();
    const [first, second] = [aVote({ approval: approval.id }), aVote({ approval: approval.id, verdict: 'deny', statement: null, envelope: null, key: null, reason: 'no', at: later })];
    await insert(approval);
    const add = (vote: typeof first) => transactor.withHead((tx) => approvals.addVote(tx, vote));
    expect([await add(second), await add(first), await add({ ...first, verdict: 'deny' })]).toEqual([true, true, false]);
    expect(await approvals.votes(approval.id)).toEqual([first, second]);
  });

  test('an approving vote without a signature is refused', async () => {
    const { transactor, approvals } = open();
    const vote = aVote({ approval: anApproval().id, envelope: null, key: null });
    await expect(transactor.withHead((tx) => approvals.addVote(tx, vote))).rejects.toThrow();
  });

  test('pending requests past their time are found, and no others', async () => {
    const expired = anApproval({ expires_at: later });
    await insert(expired, anApproval(), anApproval({ expires_at: later, state: 'denied' }));
    expect(await open().approvals.expired(10)).toEqual([expired]);
  });

  test('requests of held actions are to be looked at when the epoch rose or their session went on, until they were, and while one edit waits', async () => {
    const { transactor, approvals, actions, sessions } = open();
    const session = aSession();
    const [held, over] = [anAction({ session: session.id }), anAction({ session: session.id, state: 'denied' })];
    const approval = anApproval({ action: held.id, session: session.id, looked_epoch: 7n, looked_head: session.head });
    await transactor.withHead(async (tx) => {
      await sessions.insert(tx, session);
      await actions.insert(tx, [held, over]);
      await approvals.insert(tx, [approval, anApproval({ action: over.id, session: session.id, looked_epoch: 7n }), anApproval({ action: held.id, session: session.id, state: 'stale', looked_epoch: 7n })]);
    });
    const toLookAt = async (epoch: bigint) => (await approvals.toLookAt(epoch, 500)).filter((row) => row.session === session.id).map(({ id }) => id);
    expect(await toLookAt(7n)).toEqual([]);
    expect(await toLookAt(8n)).toEqual([approval.id]);
    await approvals.lookedAt(approval.id, 8n, session.head);
    expect(await toLookAt(8n)).toEqual([]);
    await transactor.withHead((tx) => sessions.moveHeads(tx, [{ session: session.id, from: session.head, to: aDigest('gone on'), seq: 1, at: later }]));
    expect(await toLookAt(8n)).toEqual([approval.id]);
    await approvals.lookedAt(approval.id, 8n, aDigest('gone on'));
    expect(await toLookAt(8n)).toEqual([]);
    expect(await approvals.countOf(held.id)).toBe(2);
    const edit = (id: typeof approval.id, text: string) => transactor.withHead((tx) => approvals.addEdit(tx, id, text));
    expect([await edit(approval.id, '{"edit":1}'), await edit(approval.id, '{"edit":2}')]).toEqual([true, false]);
    expect(await approvals.find(approval.id)).toMatchObject({ edit: '{"edit":1}' });
    expect(await toLookAt(8n)).toEqual([approval.id]);
    await resolve(approval, 'denied');
    expect([await edit(approval.id, '{"edit":3}'), await toLookAt(8n)]).toEqual([false, []]);
  });

  test('approved requests wait for a permit until their action has one', async () => {
    const { transactor, approvals, actions } = open();
    const action = anAction();
    const approval = anApproval({ action: action.id });
    await transactor.withHead(async (tx) => {
      await actions.insert(tx, [action]);
      await approvals.insert(tx, [approval]);
    });
    expect(await approvals.awaitingPermit(10)).toEqual([]);
    await resolve(approval, 'approved');
    expect((await approvals.awaitingPermit(10)).map(({ id }) => id)).toEqual([approval.id]);
    const permitted = { id: action.id, from: 'held', at: later, state: 'permitted', permit: aPermit(farOff) } as const;
    await transactor.withHead((tx) => actions.change(tx, permitted));
    expect(await approvals.awaitingPermit(10)).toEqual([]);
  });
}
