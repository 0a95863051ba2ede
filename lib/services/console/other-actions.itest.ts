import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { basisDigest } from '@/lib/approvals/basis';
import type { HeldAction } from '@/lib/approvals/held-action';
import { isId, type ApprovalId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage, type Held } from '@/lib/testing/approval-stage';
import { changeRoster, codeOf, signedVote, valueOf } from '@/lib/testing/console-fixture';

let stage: ApprovalStage;
let first: Held;
let seen: HeldAction;

beforeAll(async () => {
  stage = await startApprovalStage();
  first = await stage.hold();
  seen = await stage.heldOf(first.approval);
}, 60_000);
afterAll(async () => {
  await stage.stop();
});

/** The same proposal, in the same words, but for what is changed. */
async function another({ agent = 'helper', session, content = 'text', path = '/srv/report.txt' }: { readonly agent?: string; readonly session?: string; readonly content?: string; readonly path?: string } = {}): Promise<Held> {
  const { plane } = stage;
  const within = session ?? (await plane.openSession('Please write the report.', agent));
  const { body } = await plane.call(plane.token(agent), 'POST', '/v1/actions', { session: within, tool: 'files', operation: 'write', parameters: { path, content } });
  if (!isId('action', body.id) || !isId('approval', body.approval?.id)) throw new Error(`Not held: ${JSON.stringify(body)}`);
  return { action: body.id, approval: body.approval.id };
}
const stateOf = async ({ action }: Held): Promise<unknown> => (await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}`)).body.state;
const voteOn = (held: HeldAction, at: ApprovalId) => signedVote(held, stage.id('approver'), stage.keys.approver, { request: at });

describe('an approval that was signed for one action', () => {
  it.each<[string, () => Promise<Held>]>([
    ['in the same session, on another file', () => another({ session: seen.session, path: '/srv/again.txt' })],
    ['the same in another session', () => another()],
    ['with another parameter', () => another({ content: 'other text' })],
    ['of another agent', () => another({ agent: 'stranger' })],
  ])('releases no other: %s', async (_what, propose) => {
    const other = await propose();
    const held = await stage.heldOf(other.approval);
    expect(basisDigest(held, stage.parts.cryptography.sha256)).not.toBe(basisDigest(seen, stage.parts.cryptography.sha256));
    // As it was signed, and with the other request's name on it.
    expect(codeOf(await stage.cast('approver', other.approval, await signedVote(seen, stage.id('approver'), stage.keys.approver)))).toBe('approval_stale');
    expect(codeOf(await stage.cast('approver', other.approval, await voteOn(seen, other.approval)))).toBe('approval_stale');
    expect((await stage.parts.approvals.votes(other.approval))).toEqual([]);
    expect((await stage.parts.approvals.find(other.approval))?.state).toBe('pending');
  });

  it.each<[string, Partial<HeldAction>]>([
    ['parameters', { action: { tool: 'files', operation: 'write', parameters: { path: '/srv/report.txt', content: 'more' } } }],
    ['labels', { labels: ['PUBLIC'] }],
    ['policy revision', { policy: { revision: 2, digest: 'b'.repeat(64) as never } }],
    ['expiry', { expires_at: '2099-01-01T00:00:00.000Z' }],
    ['quorum', { approvers: { groups: ['approver'], all_groups: false, quorum: 9, separation: true } }],
    ['impact', { impact: 'low' }],
  ])('and over another basis does not release its own either: %s', async (_what, changes) => {
    expect(codeOf(await stage.cast('approver', first.approval, await signedVote({ ...seen, ...changes }, stage.id('approver'), stage.keys.approver)))).toBe('approval_stale');
    expect(await stateOf(first)).toBe('held');
  });

  it('counts no more once its voter has left the group, at a request that needs another', async () => {
    const { approval, action } = await stage.payment();
    valueOf(await stage.cast('second', approval));
    const change = (groups: readonly string[]) => changeRoster(stage.parts, stage.owner, { kind: 'set_person', person: stage.id('second'), roles: ['approver'], groups: [...groups] });
    await change(['data-owner']);
    try {
      expect(valueOf(await stage.cast('approver', approval))).toMatchObject({ state: 'pending', quorum: { needed: 2, given: 1 } });
      expect(await stateOf({ approval, action })).toBe('held');
    } finally {
      await change(['approver', 'data-owner']);
    }
  });

  it('does not release its action once the session has gained a label', async () => {
    const { plane } = stage;
    const held = await another();
    const { session } = await stage.heldOf(held.approval);
    const vote = await signedVote(await stage.heldOf(held.approval), stage.id('approver'), stage.keys.approver);
    const read = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'database', operation: 'query', parameters: { query: 'SELECT * FROM customers' } });
    expect(read.body).toMatchObject({ state: 'permitted' });
    expect(codeOf(await stage.cast('approver', held.approval, vote))).toBe('approval_stale');
    expect(await stateOf(held)).toBe('held');
  });

  it('releases its own action, once', async () => {
    valueOf(await stage.cast('approver', first.approval));
    const { body } = await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${first.action}?wait=20`);
    expect(body).toMatchObject({ state: 'permitted' });
    expect(codeOf(await stage.cast('second', first.approval))).toBe('already_resolved');
    expect((await stage.parts.log.search({ action: first.action, kind: 'permit_issued' }, { limit: 9 })).rows).toHaveLength(1);
  });
});
