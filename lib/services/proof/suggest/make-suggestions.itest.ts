import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { denyRequest } from '@/lib/services/console/deny-request';
import { rejectProposal } from '@/lib/services/proposals/end-proposal';
import { standingProposal } from '@/lib/services/proposals/standing-proposal';
import { isId } from '@/lib/shared/ids';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';

import { leastApprovals, makeSuggestions, suggestionsView } from './make-suggestions';

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage();
}, 60_000);
afterAll(() => stage.stop());

/** Only what a checkpoint covers is looked at. */
async function covered(): Promise<void> {
  const { size } = await stage.parts.log.head();
  await expect.poll(async () => (await stage.parts.log.latestCheckpoint())?.size ?? 0n, { timeout: 30_000 }).toBeGreaterThanOrEqual(size);
}

const approved = async (path: string): Promise<void> => {
  const { approval } = await stage.hold('files', 'write', { path, content: 'numbers' });
  valueOf(await stage.cast('approver', approval));
};

describe('suggestions from real approvals', () => {
  it('are none while people have decided little, or one was denied since', async () => {
    expect(await suggestionsView(stage.parts)).toMatchObject({ decided: 0, worth_looking: false });
    expect(valueOf(await makeSuggestions(stage.parts))).toEqual({ made: [], found: 0 });
    for (let n = 0; n < leastApprovals - 1; n++) await approved(`/srv/reports/week-${String(n)}.txt`);
    const { approval } = await stage.hold('files', 'write', { path: '/srv/reports/payroll.txt', content: 'numbers' });
    valueOf(await denyRequest(stage.parts, await stage.viewer('approver'), { approval, code: 'not_wanted', reason: 'Not this one.' }));
    await approved('/srv/reports/week-9.txt');
    await covered();
    expect(valueOf(await makeSuggestions(stage.parts))).toEqual({ made: [], found: 0 });
  }, 60_000);

  it('become proposals like any other: the console’s own, in the log, with what they reach, and only once', async () => {
    for (let n = 0; n < leastApprovals; n++) await approved('/srv/reports/summary.txt');
    await covered();
    expect(await suggestionsView(stage.parts)).toMatchObject({ worth_looking: true });
    const { made, found } = valueOf(await makeSuggestions(stage.parts));
    expect(found).toBe(1);
    expect(made).toMatchObject([{ tool: 'files', operation: 'write' }]);
    const id = made[0]?.proposal ?? '';
    const { root } = await stage.parts.inForce.current();
    const standing = isId('proposal', id) && root ? valueOf(await standingProposal(stage.parts, root.root, id)) : undefined;
    expect(standing?.row).toMatchObject({ origin: 'suggestion', maker_kind: 'service', maker_id: 'console', state: 'open' });
    expect(standing?.row.reason).toContain('lets through nothing that a person or the policy denied');
    // The denied file is in the same folder: the rule must not reach it.
    expect(standing?.row.text).not.toContain('within: "/srv/reports"');
    expect(valueOf(await makeSuggestions(stage.parts))).toEqual({ made: [], found: 1 });
    expect(await unreadableReceipts(stage.parts)).toEqual([]);
  }, 60_000);

  it('are made once while one for the same tool, operation and agent waits, though later approvals make another text of it', async () => {
    await approved('/srv/reports/another.txt');
    await covered();
    expect(valueOf(await makeSuggestions(stage.parts))).toEqual({ made: [], found: 1 });
    const [waiting, ...more] = await stage.parts.proposals.list('live', 10);
    expect(more).toEqual([]);
    if (!waiting) throw new Error('The suggestion is gone.');

    // One that owners turned down stands for none.
    valueOf(await rejectProposal(stage.parts, { kind: 'person', id: stage.owner.person }, waiting.id, 'Not yet.'));
    const { made } = valueOf(await makeSuggestions(stage.parts));
    expect(made).toMatchObject([{ tool: 'files', operation: 'write', saved: leastApprovals + 2 }]);
  }, 60_000);
});
