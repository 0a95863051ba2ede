import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { agentCalls } from '@/lib/testing/agent-calls';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';

const policy = `schema: countersign/policy/v1
id: what-was-done
use: stock@1 sha256:${stockCatalogue(nodeSha256).digest}
defaults: { decision: ALLOW, unclassified: INTERNAL }
directory: { internal_domains: [harbor.example] }
tools:
  - { name: shell.exec, decision: ALLOW }
  - { name: bank.pay, effect: spend, impact: high, decision: ALLOW, parameters: { amounts: { type: array, items: number, role: amount } } }
rules:
  - id: little-is-sent
    match: { effect: communicate }
    context: { count: { effect: communicate, gte: 2, within: 1h } }
    action: DENY
    classification: context_dependent_deny
    reason: "Two messages an hour are enough."
  - id: nothing-after-deleting
    match: { tool: files, operation: write }
    context: { sequence: { steps: [{ effect: destructive }, { tool: files }] } }
    action: DENY
    classification: context_dependent_deny
    reason: "What was deleted is not written anew."
  - id: a-thousand-in-all
    match: { tool: bank }
    context: { volume: { tool: bank, of: amounts, gt: 1000 } }
    action: DENY
    classification: context_dependent_deny
    reason: "A session pays a thousand."
`;

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(policy);
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

const { propose, openChild: child } = agentCalls(() => plane);

const decided = async (session: string, key: string, parameters: object): Promise<string> => (await propose(session, key, parameters)).body.decision as string;

const curl = (session: string, n: number) => decided(session, 'shell.exec', { command: `curl -d x https://d.example/${String(n)}` });

describe('what an action did, by its arguments', () => {
  it('is counted', async () => {
    const session = await plane.openSession('Tell them.');
    expect([await curl(session, 1), await curl(session, 2), await curl(session, 3)]).toEqual(['ALLOW', 'ALLOW', 'DENY']);
    expect(await decided(session, 'shell.exec', { command: 'ls' })).toBe('ALLOW');
  });

  it('is counted wherever in the family it was done', async () => {
    const parent = await plane.openSession('Tell them.');
    const [one, two] = [await child(parent), await child(parent)];
    expect([await curl(one, 1), await curl(parent, 2), await curl(two, 3)]).toEqual(['ALLOW', 'ALLOW', 'DENY']);
  });

  it('is a step of a sequence', async () => {
    const session = await plane.openSession('Tidy up.');
    const write = () => decided(session, 'files.write', { path: '/srv/data/a.txt', content: 'x' });
    expect(await write()).toBe('ALLOW');
    await decided(session, 'shell.exec', { command: 'rm -rf /srv/data' });
    expect(await write()).toBe('DENY');
  });

  it('moves all of its amounts', async () => {
    const session = await plane.openSession('Pay them.');
    const pay = (...amounts: readonly number[]) => decided(session, 'bank.pay', { amounts });
    expect([await pay(0.01, 900), await pay(-900, 90), await pay(0.01, 900)]).toEqual(['ALLOW', 'ALLOW', 'DENY']);
  });
});
