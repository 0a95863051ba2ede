import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { SessionId } from '@/lib/shared/ids';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

const tools = `  - name: tell.send
    effect: communicate
    impact: low
    parameters: { to: { type: string, role: recipients, sensitive: true }, body: { type: string } }
  - name: shelf.open
    effect: read
    impact: low
    parameters: { id: { type: string, role: target, sensitive: true } }
`;
const rules = `rules:
  - id: tell-nobody-outside
    match: { tool: tell, operation: send }
    context: { recipient: { external: true } }
    action: DENY
    reason: "Nothing leaves the house."
  - id: not-the-shelf
    match: { tool: shelf, operation: open }
    when: 'action.target == "shelf:whispered"'
    action: DENY
    reason: "Not this one."
`;
const policy = planePolicy.replace('  - name: notes.write', `${tools}  - name: notes.write`).replace('rules:\n', rules);

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(policy);
}, 60_000);
afterAll(() => plane.stop());

describe('what rules read of a sensitive argument', () => {
  it.each([
    ['tell', 'send', { to: 'whispered@partner.example', body: 'x' }, 'recipient'],
    ['shelf', 'open', { id: 'whispered' }, 'target'],
  ])('by its role stands in no receipt: %s.%s', async (tool, operation, parameters, field) => {
    const session = (await plane.openSession('Tell them.')) as SessionId;
    const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });
    expect(body).toMatchObject({ decision: 'DENY' });
    const [row] = (await plane.stores.log.search({ session, kind: 'action_decided' }, { limit: 1 })).rows;
    const text = Buffer.from(JSON.parse(row?.envelope ?? '{}').payload, 'base64').toString();
    expect(JSON.parse(text).predicate.determining[0].read).toContainEqual({ field, value: { $sealed: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(text).not.toContain('whispered');
  });
});
