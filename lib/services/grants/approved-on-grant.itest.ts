import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { PlaneAnswer } from '@/lib/testing/plane-fixture';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';
import { signText, valueOf } from '@/lib/testing/console-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import { prepareGrant } from './prepare-grant';
import { signGrant } from './sign-grant';

let stage: ApprovalStage;
beforeAll(async () => {
  stage = await startApprovalStage(planePolicy.replace('tools:\n', 'tools:\n  - name: files.write\n    grant: required\n'));
}, 60_000);
afterAll(async () => {
  await stage.stop();
});

async function give(uses: number): Promise<string> {
  const { parts, owner } = stage;
  const terms = { agent: 'helper', tool: 'files', operation: 'write', scope: { path: { within: ['/srv'] } }, uses, expires_at: new Date(Date.now() + 3_600_000).toISOString(), reason: 'For the report.' };
  const { document } = valueOf(await prepareGrant(parts, terms));
  return valueOf(await signGrant(parts, owner.person, { envelope: await signText(document, owner.key) })).grant;
}
const read = async (action: string): Promise<PlaneAnswer['body']> => (await stage.plane.call(stage.plane.token('helper'), 'GET', `/v1/actions/${action}?wait=20`)).body;

describe('an action that needs both a person and a grant', () => {
  it('gets a permit that names the grant, which its use counts; without a use left it gets none, approved or not', async () => {
    const grant = await give(1);
    const [one, two] = [await stage.hold(), await stage.hold()];
    for (const { approval } of [one, two]) valueOf(await stage.cast('approver', approval));
    const first = await read(one.action);
    expect(first).toMatchObject({ state: 'permitted', permit: { envelope: expect.anything() } });
    const second = await read(two.action);
    expect(second).toMatchObject({ state: 'permitted' });
    const redeem = (permit: string) => stage.plane.call(stage.plane.token('helper'), 'POST', `/v1/permits/${permit}/redeem`);
    expect((await redeem(first.permit.id)).status).toBe(200);
    expect((await redeem(second.permit.id)).body).toMatchObject({ error: { code: 'permit_stale' } });
    expect((await stage.parts.log.search({ kind: 'grant_consumed' }, { limit: 5 })).rows).toHaveLength(1);
    expect((await stage.parts.inForce.refresh()).grants).toMatchObject([{ terms: { grant }, used: 1 }]);
  }, 60_000);

  it('and what was approved while the last use was made ends without a permit', async () => {
    await give(1);
    const waiting = await stage.hold();
    const other = await stage.hold();
    valueOf(await stage.cast('approver', other.approval));
    const permitted = await read(other.action);
    expect((await stage.plane.call(stage.plane.token('helper'), 'POST', `/v1/permits/${permitted.permit.id}/redeem`)).status).toBe(200);
    valueOf(await stage.cast('approver', waiting.approval));
    expect(await read(waiting.action)).toMatchObject({ state: 'withdrawn', code: 'permit_stale' });
  }, 60_000);

  it('verifies offline, each decision and permit reproduced', async () => {
    const report = await verdictOfLog(stage.parts, stage.plane.provisioned);
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.rederived.differs).toBe(0);
  });
});
