import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isId } from '@/lib/shared/ids';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

/** With a tool that takes any number. */
const policy = planePolicy.replace('rules:\n', `  - name: notes.count
    effect: write
    impact: low
    parameters: { n: { type: number }, any: { type: any, optional: true } }
rules:
  - id: allow-counting
    match: { tool: notes, operation: count }
    action: ALLOW
    reason: "Counting is the agent's own."
`);

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(policy);
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

const propose = (session: string, tool: string, operation: string, parameters: object, headers = {}) =>
  plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters }, headers);
const stateOf = async (action: string, as = 'helper'): Promise<string> => String((await plane.call(plane.token(as), 'GET', `/v1/actions/${action}`)).body.state);
const redeem = (permit: string) => plane.call(plane.token('helper'), 'POST', `/v1/permits/${permit}/redeem`);

describe('who acts', () => {
  it('is what the credential says, whatever headers claim, and stands in the receipt with the session', async () => {
    const session = await plane.openSession('Take a note.');
    const claims = { 'x-agent-id': 'stranger', 'x-tenant-id': 'other', 'x-forwarded-user': 'owner@harbor.example', 'x-role': 'admin' };
    const { body } = await propose(session, 'notes', 'write', { text: 'x' }, claims);
    expect(body.state).toBe('permitted');
    const { envelope } = (await plane.call(plane.token('helper'), 'GET', `/v1/receipts/${body.receipt.id}`)).body;
    const { predicate } = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8'));
    expect(predicate).toMatchObject({ identity: { agent: 'helper', human: 'requester@harbor.example', session, role: 'assistant' }, action: { id: body.id } });
    expect((await plane.call(plane.token('stranger'), 'GET', `/v1/actions/${body.id}`)).status).toBe(404);
  });

  it('gains no role by saying so', async () => {
    const session = await plane.openSession('Take a note.');
    for (const more of [{ roles: ['admin'] }, { identity: { role: 'admin' } }, { agent: 'stranger' }]) {
      const body = { session, tool: 'notes', operation: 'write', parameters: { text: 'x' }, ...more };
      expect(await plane.call(plane.token('helper'), 'POST', '/v1/actions', body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    }
    for (const where of ['/v1/agents/self/refresh', '/v1/agents/helper', '/v1/roles']) {
      expect((await plane.call(plane.token('helper'), 'POST', where, { roles: ['admin'] })).status).toBe(404);
    }
  });

  it.each(['PATCH', 'PUT', 'POST', 'DELETE'])('cannot weaken approval: %s of the settings is refused and recorded', async (method) => {
    const before = (await plane.stores.log.head()).size;
    expect(await plane.call(plane.token('helper'), method, '/v1/settings', { auto_approve: true })).toMatchObject({ status: 403, body: { error: { code: 'refused_direct_edit' } } });
    const added = await plane.stores.log.range(before, before + 5n, 5);
    expect(added.map(({ kind }) => kind)).toEqual(['edit_refused']);
  });
});

describe('what is decided', () => {
  it('is never a part of the parameters: without them a call is refused, whatever preview it carries', async () => {
    const session = await plane.openSession('List the folder.');
    const before = (await plane.stores.log.head()).size;
    const body = { session, tool: 'shell', operation: 'exec', parameters: {} };
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/actions', body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_parameters' } } });
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/actions', { ...body, preview: 'cat /etc/shadow' })).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect((await plane.stores.log.head()).size).toBe(before);
  });

  it('is the same number before and after it was stored, minus zero included', async () => {
    const session = await plane.openSession('Count.');
    for (const n of ['-0', '0', '0.0', '-0e0']) {
      const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', `{"session":"${session}","tool":"notes","operation":"count","parameters":{"n":${n}}}`);
      // Reading it back holds it against its digest: a number that changed its text on the way would be refused.
      expect((await redeem(body.permit.id)).body.execute.parameters).toEqual({ n: 0 });
    }
  });

  it.each([
    ['half of a pair', '\\ud800'], ['a pair the wrong way round', '\\ude00\\ud83d'], ['half of a pair in a name', 'x","\\udc00":"'],
  ])('never holds %s', async (_what, text) => {
    const session = await plane.openSession('Count.');
    const raw = `{"session":"${session}","tool":"notes","operation":"count","parameters":{"n":1,"any":{"a":"${text}"}}}`;
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/actions', raw)).toMatchObject({ status: 400, body: { error: { code: 'invalid_unicode' } } });
  });

  it('is denied by a new process from its first call on', async () => {
    const session = await plane.openSession('Drop it.');
    const fresh = await plane.another();
    const answer = await callPlane(fresh.url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'db', operation: 'drop', parameters: { database: 'production' } });
    expect(answer.body).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
    await fresh.stop();
  });
});

describe('a permit', () => {
  it('that nobody used in time ends in a refusal, with a receipt', async () => {
    const hasty = await startTestPlane(planePolicy.replace('ttl: 60s', 'ttl: 1s'));
    const session = await hasty.openSession('Take a note.');
    const call = (method: string, where: string, body?: object) => hasty.call(hasty.token('helper'), method, where, body);
    const { body } = await call('POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
    await expect.poll(async () => String((await call('GET', `/v1/actions/${body.id}`)).body.state), { timeout: 20_000, interval: 200 }).toBe('expired');
    expect(await call('POST', `/v1/permits/${body.permit.id}/redeem`)).toMatchObject({ status: 409, body: { error: { code: 'permit_expired' } } });
    if (!isId('action', body.id)) throw new Error('No id.');
    const kinds = (await hasty.stores.log.search({ action: body.id }, { limit: 10 })).rows.map(({ kind }) => kind);
    expect(kinds).toContain('permit_refused');
    expect(kinds).not.toContain('permit_redeemed');
    await hasty.stop();
  });
});

describe('a kill switch', () => {
  const writes = { tool: 'files', operation: 'write', parameters: { path: 'a.txt', content: 'x' } };
  const notes = { tool: 'notes', operation: 'write', parameters: { text: 'x' } };

  it.each([
    ['of an agent', { scope: 'agent', subject: 'stranger' }, 'stranger', notes],
    ['of a tool', { scope: 'tool', subject: 'files' }, 'helper', null],
    ['of everything', { scope: 'all', subject: '' }, 'helper', notes],
  ] as const)('%s stops what comes next, what was permitted, and withdraws what waits', async (_what, where, agent, permitted) => {
    const act = (session: string, action: object) => plane.call(plane.token(agent), 'POST', '/v1/actions', { session, ...action });
    const [writing, noting] = [await plane.openSession('Write the report.', agent), await plane.openSession('Take a note.', agent)];
    const { parts, close } = await testConsole(plane);
    const held = where.scope === 'all' ? null : (await act(writing, writes)).body;
    if (held) expect(held.state).toBe('held');
    const note = permitted && (await act(noting, permitted)).body;
    valueOf(await throwSwitch(parts, plane.personOf('admin'), { ...where, reason: 'Something is wrong.' }));
    if (note) expect(await plane.call(plane.token(agent), 'POST', `/v1/permits/${note.permit.id}/redeem`)).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
    expect((await act(writing, writes)).body).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
    if (held) await expect.poll(() => stateOf(held.id, agent), { timeout: 20_000, interval: 200 }).toBe('withdrawn');
    await close();
  });
});
