import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { deferralPolicy, deferralVouching } from '@/lib/testing/deferral-policy';

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(deferralPolicy, { vouching: deferralVouching });
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

const helper = () => plane.token('helper');
const propose = async (session: string, name: string, parameters: object, depends_on: readonly string[] = []): Promise<PlaneAnswer['body']> => {
  const [tool, operation] = name.split('.');
  return (await plane.call(helper(), 'POST', '/v1/actions', { session, tool, operation, parameters, ...(depends_on.length > 0 ? { depends_on } : {}) })).body;
};
const read = async (id: string): Promise<PlaneAnswer['body']> => (await plane.call(helper(), 'GET', `/v1/actions/${id}`)).body;
/** The action once it has left a state, as its own long poll tells. */
const wait = async (id: string, seconds = 20): Promise<PlaneAnswer['body']> => (await plane.call(helper(), 'GET', `/v1/actions/${id}?wait=${String(seconds)}`)).body;
const withdraw = (id: string) => plane.call(helper(), 'DELETE', `/v1/actions/${id}`);
const run = async (body: PlaneAnswer['body'], status: 'succeeded' | 'failed' = 'succeeded') => {
  await plane.call(helper(), 'POST', `/v1/permits/${body.permit.id}/redeem`);
  await plane.call(helper(), 'POST', `/v1/actions/${body.id}/outcome`, { status, output: 'done' });
};

const write = (session: string, path: string) => propose(session, 'files.write', { path, content: 'x' });
const note = (session: string, depends_on: readonly string[] = []) => propose(session, 'notes.write', { text: 'x' }, depends_on);

describe('an action that depends on another', () => {
  it('is deferred behind one that is held, names it, and is decided again when that has succeeded', async () => {
    const session = await plane.openSession('Write the report, then note it.');
    const head = await write(session, '/srv/a.txt');
    const behind = await note(session, [head.id]);
    expect(behind).toMatchObject({ decision: 'DEFER', state: 'deferred', deferral: { missing: [], waits_for: [head.id] } });
    expect((await withdraw(head.id)).body.state).toBe('withdrawn');
    expect(await wait(behind.id)).toMatchObject({ decision: 'DENY', state: 'denied', code: 'pipeline_stopped' });
  });

  it('waits until it has succeeded, not only until it may run', async () => {
    const session = await plane.openSession('Note this, then that.');
    const first = await note(session);
    const second = await note(session, [first.id]);
    expect(second).toMatchObject({ state: 'deferred', deferral: { waits_for: [first.id] } });
    await run(first);
    expect(await wait(second.id)).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  });

  it.each(['failed', 'unknown to it'] as const)('is denied when that is %s', async (how) => {
    const session = await plane.openSession('Note this, then that.');
    if (how === 'failed') {
      const first = await note(session);
      const second = await note(session, [first.id]);
      await run(first, 'failed');
      expect(await wait(second.id)).toMatchObject({ state: 'denied', code: 'pipeline_stopped' });
      expect(await note(session, [first.id])).toMatchObject({ state: 'denied', code: 'pipeline_stopped' });
    } else {
      const elsewhere = await note(await plane.openSession('Another.'));
      expect(await note(session, [elsewhere.id])).toMatchObject({ state: 'denied', code: 'pipeline_stopped' });
    }
  });

  it('does not keep independent ones waiting', async () => {
    const session = await plane.openSession('Write the report, then note it.');
    const head = await write(session, '/srv/a.txt');
    await note(session, [head.id]);
    expect(await note(session)).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  });

  it('in a cascade of three is released from the head on, and a fourth is too deep', async () => {
    const session = await plane.openSession('Delete the entry, then note it, and note that.');
    const head = await propose(session, 'calendar.delete', { id: 'standup' });
    const second = await note(session, [head.id]);
    const third = await note(session, [second.id]);
    expect([head.state, second.state, third.state]).toEqual(['deferred', 'deferred', 'deferred']);
    expect(await note(session, [third.id])).toMatchObject({ decision: 'DENY', code: 'deferral_too_deep' });
    const supply = (name: string, value: string) =>
      plane.call(plane.token('records'), 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: 'calendar:standup', name, value }] });
    await supply('owner', 'requester@harbor.example');
    await supply('criticality', 'low');
    const allowed = await read(head.id);
    expect(allowed).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    expect(await read(second.id)).toMatchObject({ state: 'deferred' });
    await run(allowed);
    const next = await wait(second.id);
    expect(next).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    await run(next);
    expect(await wait(third.id)).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  });
});

describe('an action on the target of one that waits', () => {
  it.each(['a-b.txt', '/srv/names/../names/A-B.txt', '/srv/names'])('waits behind it under another name too: %s', async (path) => {
    const session = await plane.openSession('Write the report twice.');
    const head = await write(session, '/srv/names/a-b.txt');
    expect(await write(session, path)).toMatchObject({ decision: 'DEFER', deferral: { waits_for: [head.id] } });
  });

  it('waits behind it whatever it would be alone, and is released when the head is withdrawn', async () => {
    const session = await plane.openSession('Write the report twice.');
    const head = await write(session, '/srv/a.txt');
    const second = await write(session, '/srv/A.txt');
    const third = await write(session, '/srv/./a.txt');
    const other = await write(session, '/srv/b.txt');
    expect(head.state).toBe('held');
    expect(other.state).toBe('held');
    expect(second).toMatchObject({ decision: 'DEFER', deferral: { waits_for: [head.id] } });
    expect(third.deferral.waits_for).toEqual([head.id, second.id]);
    await withdraw(head.id);
    expect(await wait(second.id)).toMatchObject({ decision: 'STEP_UP', state: 'held' });
    // Behind the second it still waits, and says so.
    await expect.poll(() => wait(third.id, 1), { timeout: 20_000 }).toMatchObject({ state: 'deferred', deferral: { waits_for: [second.id] } });
    await withdraw(second.id);
    expect(await wait(third.id)).toMatchObject({ decision: 'STEP_UP', state: 'held' });
  });

  it('waits whatever plane it is proposed to, once the answer about the first has left', async () => {
    const other = await plane.another();
    try {
      for (let turn = 0; turn < 10; turn++) {
        const session = await plane.openSession('Delete the old orders.');
        const [one, two] = turn % 2 === 0 ? [plane.url, other.url] : [other.url, plane.url];
        const send = (url: string, path: string) =>
          callPlane(url, helper(), 'POST', '/v1/actions', { session, tool: 'database', operation: 'query', parameters: { query: `SELECT 1 FROM ${path}` } });
        await send(two, 'orders');
        const head = await callPlane(one, helper(), 'POST', '/v1/actions', { session, tool: 'database', operation: 'delete', parameters: { table: 'orders', where: 'id = 1' } });
        expect(head.body.state).toBe('deferred');
        const behind = await send(two, 'orders');
        expect(behind.body).toMatchObject({ state: 'deferred', deferral: { waits_for: [head.body.id] } });
        expect((await send(two, 'customers')).body.state).toBe('permitted');
      }
    } finally {
      await other.stop();
    }
  }, 60_000);

  it('of another session does not wait', async () => {
    await write(await plane.openSession('Write.'), '/srv/a.txt');
    expect(await write(await plane.openSession('Write.'), '/srv/a.txt')).toMatchObject({ state: 'held' });
  });
});

it('ending the session withdraws the whole chain', async () => {
  const session = await plane.openSession('Write the report, then note it.');
  const head = await write(session, '/srv/a.txt');
  const chain = [head, await write(session, '/srv/a.txt'), await note(session, [head.id])];
  expect((await plane.call(plane.token('desk'), 'DELETE', `/v1/sessions/${session}`)).body.state).toBe('closed');
  for (const { id } of chain) expect(await read(id)).toMatchObject({ state: 'withdrawn', code: 'session_ended' });
  expect(await plane.stores.approvals.openDeferrals(session as Parameters<typeof plane.stores.approvals.openDeferrals>[0])).toEqual([]);
});

it('the bounds hold when actions of many sessions arrive at once', async () => {
  const few = await startTestPlane(`${deferralPolicy.replace('limits: { new_per_minute: 1000 }', 'limits: { held_per_human: 7 }')}`);
  try {
    const sessions = await Promise.all(Array.from({ length: 16 }, () => few.openSession('Write.')));
    const answers = await Promise.all(
      sessions.map((session) => few.call(few.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path: '/srv/a', content: 'x' } })),
    );
    const held = answers.filter(({ body }) => body.state === 'held');
    expect(held).toHaveLength(7);
    expect(answers.filter(({ body }) => body.code === 'too_many_held')).toHaveLength(9);
  } finally {
    await few.stop();
  }
}, 60_000);

it('withdrawing makes no room for more than the policy lets be new in a minute', async () => {
  const few = await startTestPlane(`${deferralPolicy.replace('new_per_minute: 1000', 'new_per_minute: 3')}`);
  try {
    const session = await few.openSession('Write.');
    const states: string[] = [];
    for (let at = 0; at < 5; at++) {
      const { body } = await few.call(few.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path: `/srv/${String(at)}`, content: 'x' } });
      states.push(body.state === 'held' ? 'held' : body.code);
      if (body.state === 'held') await few.call(few.token('helper'), 'DELETE', `/v1/actions/${body.id}`);
    }
    expect(states).toEqual(['held', 'held', 'held', 'too_many_held', 'too_many_held']);
  } finally {
    await few.stop();
  }
}, 60_000);
