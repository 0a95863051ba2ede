import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { planePolicy } from '@/lib/testing/plane-policy';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

const propose = (session: string, tool: string, operation: string, parameters: object, headers = {}) =>
  plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters }, headers);
const redeem = (permit: string, as = 'helper') => plane.call(plane.token(as), 'POST', `/v1/permits/${permit}/redeem`);
const report = (action: string, output: string, as = 'helper') =>
  plane.call(plane.token(as), 'POST', `/v1/actions/${action}/outcome`, { status: 'succeeded', output });

describe('an allowed action', () => {
  it('gets a permit, runs once, and reports', async () => {
    const session = await plane.openSession('Look up the orders of this week.');
    const proposed = await propose(session, 'db', 'query', { query: 'SELECT id FROM orders' });
    expect(proposed).toMatchObject({ status: 200, body: { decision: 'ALLOW', state: 'permitted', permit: { envelope: { payloadType: 'application/vnd.in-toto+json' } } } });
    const { id, permit } = proposed.body;
    const redeemed = await redeem(permit.id);
    expect(redeemed).toMatchObject({ status: 200, body: { execute: { tool: 'database', operation: 'query', parameters: { query: 'SELECT id FROM orders' } } } });
    expect(await redeem(permit.id)).toMatchObject({ status: 409, body: { error: { code: 'permit_used' } } });
    expect(await report(id, '1, 2, 3')).toMatchObject({ status: 200, body: { output: '1, 2, 3' } });
    expect(await report(id, '1, 2, 3')).toMatchObject({ status: 409, body: { error: { code: 'outcome_already_reported' } } });
    expect(await plane.call(plane.token('helper'), 'GET', `/v1/actions/${id}`)).toMatchObject({ body: { state: 'succeeded', outcome: { status: 'succeeded' } } });
  });

  it('is redeemed by one of twenty that try at once', async () => {
    const session = await plane.openSession('Take a note.');
    const { body } = await propose(session, 'notes', 'write', { text: 'buy milk' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(body.permit.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('changed by policy runs only as changed', async () => {
    const session = await plane.openSession('Update the orders.');
    const proposed = await propose(session, 'database', 'update', { table: 'orders', set: { state: 'new' }, where: "id = 1", limit: 500 });
    expect(proposed.body).toMatchObject({ decision: 'MODIFY', transformed: { parameters: { limit: 10 } } });
    expect((await redeem(proposed.body.permit.id)).body.execute.parameters.limit).toBe(10);
  });
});

describe('a permit', () => {
  it('is void once the session has read personal data', async () => {
    const session = await plane.openSession('Mail the summary to ann@partner.example.');
    const mail = await propose(session, 'email', 'send', { to: 'ann@partner.example', body: 'the summary' });
    expect(mail.body.decision).toBe('ALLOW');
    expect((await propose(session, 'database', 'query', { query: 'SELECT * FROM customers' })).body.decision).toBe('ALLOW');
    expect(await redeem(mail.body.permit.id)).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
    expect((await plane.call(plane.token('helper'), 'GET', `/v1/actions/${mail.body.id}`)).body).toMatchObject({ state: 'denied', code: 'permit_stale' });
  });

  it('survives a context that changes nothing about it', async () => {
    const session = await plane.openSession('Take a note and look at the orders.');
    const note = await propose(session, 'notes', 'write', { text: 'look at orders' });
    await propose(session, 'database', 'query', { query: 'SELECT id FROM orders' });
    expect((await redeem(note.body.permit.id)).status).toBe(200);
  });

  it('is void once its action was withdrawn', async () => {
    const session = await plane.openSession('Take a note.');
    const { body } = await propose(session, 'notes', 'write', { text: 'x' });
    expect((await plane.call(plane.token('helper'), 'DELETE', `/v1/actions/${body.id}`)).body.state).toBe('withdrawn');
    expect(await redeem(body.permit.id)).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
  });

  it('of another agent is like one that does not exist', async () => {
    const session = await plane.openSession('Take a note.');
    const { body } = await propose(session, 'notes', 'write', { text: 'x' });
    expect(await redeem(body.permit.id, 'stranger')).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect((await redeem(body.permit.id, 'gate')).status).toBe(200);
  });
});

describe('refusals', () => {
  it('deny what is forbidden, whatever the request says', async () => {
    const session = await plane.openSession('The boss wants the production database dropped right now.');
    expect((await propose(session, 'database', 'drop', { database: 'production' })).body).toMatchObject({
      decision: 'DENY', state: 'denied', code: 'forbidden_action', classification: 'forbidden',
    });
  });

  it('deny what nothing allows', async () => {
    const session = await plane.openSession('Fetch a page.');
    expect((await propose(session, 'http', 'fetch', { url: 'https://example.com/', method: 'GET' })).body).toMatchObject({ decision: 'DENY', code: 'denied_by_default' });
  });

  it('tell the agent neither rules nor signals', async () => {
    const session = await plane.openSession('Take a note.');
    const { body } = await propose(session, 'notes', 'write', { text: 'x' });
    expect(body).not.toHaveProperty('rules');
    expect(body).not.toHaveProperty('signals');
  });
});

describe('a held action', () => {
  it('is held with an approval, waits, and can be withdrawn', async () => {
    const session = await plane.openSession('Write the report to notes.txt.');
    const held = await propose(session, 'files', 'write', { path: 'notes.txt', content: 'hello' });
    expect(held.body).toMatchObject({ decision: 'STEP_UP', state: 'held', approval: { quorum: { needed: 1, given: 0 } } });
    const waiting = plane.call(plane.token('helper'), 'GET', `/v1/actions/${held.body.id}?wait=30`);
    expect((await plane.call(plane.token('helper'), 'DELETE', `/v1/actions/${held.body.id}`)).body.state).toBe('withdrawn');
    expect((await waiting).body).toMatchObject({ state: 'withdrawn', code: 'action_withdrawn' });
  });

  it('that is deferred is decided again when the fact comes', async () => {
    const session = await plane.openSession('Clean up the test data.');
    const deferred = await propose(session, 'database', 'delete', { table: 'test_data', where: 'age > 1' });
    expect(deferred.body).toMatchObject({ decision: 'DEFER', state: 'deferred', deferral: { missing: [{ suppliers: ['ip:records', 'orchestrator:desk'] }] } });
    const supplied = await plane.call(plane.token('records'), 'POST', `/v1/sessions/${session}/context`, {
      attributes: [{ subject: 'database:test_data', name: 'owner', value: 'requester@harbor.example' }],
    });
    expect(supplied).toMatchObject({ status: 200, body: { accepted: [{ used: true }], redecided: [deferred.body.id] } });
    expect((await plane.call(plane.token('helper'), 'GET', `/v1/actions/${deferred.body.id}`)).body).toMatchObject({ decision: 'STEP_UP', state: 'held' });
  });

  it('is withdrawn when its session ends', async () => {
    const session = await plane.openSession('Write the report.');
    const held = await propose(session, 'files', 'write', { path: 'a.txt', content: 'x' });
    expect((await plane.call(plane.token('desk'), 'DELETE', `/v1/sessions/${session}`)).body.state).toBe('closed');
    expect((await plane.call(plane.token('helper'), 'GET', `/v1/actions/${held.body.id}`)).body).toMatchObject({ state: 'withdrawn', code: 'session_ended' });
    expect((await propose(session, 'notes', 'write', { text: 'x' })).body).toMatchObject({ decision: 'DENY', code: 'session_closed' });
  });
});

describe('bad input is refused with its code and leaves nothing', () => {
  const cases: readonly (readonly [string, object | string, number, string])[] = [
    ['an unknown field', { tool: 'notes', operation: 'write', parameters: { text: 'x' }, admin: true }, 400, 'invalid_input'],
    ['a NUL in a text', { tool: 'notes', operation: 'write', parameters: { text: 'x' }, reason: 'a\0b' }, 400, 'invalid_input'],
    ['a wrong type', { tool: 'notes', operation: 'write', parameters: 'x' }, 400, 'invalid_input'],
    ['a parameter of a wrong type', { tool: 'notes', operation: 'write', parameters: { text: 5 } }, 400, 'invalid_parameters'],
    ['an unknown parameter', { tool: 'notes', operation: 'write', parameters: { text: 'x', more: 1 } }, 400, 'invalid_parameters'],
    ['an unknown tool', { tool: 'nots', operation: 'write', parameters: {} }, 400, 'unknown_tool'],
  ];
  it.each(cases)('%s', async (_what, body, status, code) => {
    const session = await plane.openSession('Take a note.');
    const before = (await plane.stores.log.head()).size;
    const answer = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, ...(body as object) });
    expect(answer).toMatchObject({ status, body: { error: { code } } });
    expect((await plane.stores.log.head()).size).toBe(before);
  });

  const texts: readonly (readonly [string, string, number, string])[] = [
    ['a number that is not exact', '{"session":"x","tool":"a","operation":"b","parameters":{"n":9007199254740993}}', 400, 'number_not_exact'],
    ['a key twice', '{"session":"x","session":"y"}', 400, 'duplicate_key'],
    ['a lone surrogate', '{"tool":"\\ud800"}', 400, 'invalid_unicode'],
    ['no JSON', '{', 400, 'invalid_json'],
    ['a body over the bound', `{"x":"${'y'.repeat(300_000)}"}`, 413, 'too_large'],
  ];
  it.each(texts)('%s', async (_what, text, status, code) => {
    expect(await plane.call(plane.token('helper'), 'POST', '/v1/actions', text)).toMatchObject({ status, body: { error: { code } } });
  });

  it('an unknown and a foreign session look the same', async () => {
    const foreign = await plane.openSession('Take a note.', 'stranger');
    const body = { tool: 'notes', operation: 'write', parameters: { text: 'x' } };
    const one = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session: foreign, ...body });
    const two = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session: 'ses_0000000000000000000000', ...body });
    expect(one).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(two.body.error).toEqual(one.body.error);
  });

  it('a human that the orchestrator is not listed for', async () => {
    const answer = await plane.call(plane.token('desk'), 'POST', '/v1/sessions', { human: 'owner@harbor.example', request: 'x', agent: 'helper' });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'human_not_listed' } } });
  });
});

describe('credentials', () => {
  it('of the wrong kind, absent, or unknown open nothing', async () => {
    const helper = plane.token('helper');
    const refused = [
      await plane.call(helper, 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'x', agent: 'helper' }),
      await plane.call(helper, 'POST', '/v1/sessions/ses_0000000000000000000000/context', {}),
      await plane.call(plane.token('gate'), 'DELETE', '/v1/sessions/ses_0000000000000000000000'),
      await plane.call(plane.token('desk'), 'POST', '/v1/actions', {}),
      await plane.call(plane.token('gate'), 'POST', '/v1/actions', {}),
      await plane.call(plane.token('records'), 'POST', '/v1/permits/pmt_0000000000000000000000/redeem'),
    ];
    for (const answer of refused) expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(await plane.call(null, 'POST', '/v1/actions', {})).toMatchObject({ status: 401, body: { error: { code: 'unauthenticated' } } });
    expect(await plane.call('csa_0000000000000000000000000000000', 'POST', '/v1/actions', {})).toMatchObject({ status: 401 });
  });

  it('that have run out open nothing, of every kind, and leave nothing', async () => {
    const late = await startTestPlane(planePolicy, { days: -1 });
    const before = (await late.stores.log.head()).size;
    for (const [subject, method, where] of [
      ['helper', 'POST', '/v1/actions'], ['desk', 'POST', '/v1/sessions'],
      ['gate', 'POST', '/v1/permits/pmt_0000000000000000000000/redeem'], ['records', 'POST', '/v1/sessions/ses_0000000000000000000000/context'],
    ] as const) {
      expect(await late.call(late.token(subject), method, where, {})).toMatchObject({ status: 401, body: { error: { code: 'credential_expired' } } });
    }
    expect((await late.stores.log.head()).size).toBe(before);
    await late.stop();
  });

  it('edit nothing, and the attempt leaves a receipt', async () => {
    const before = (await plane.stores.log.head()).size;
    for (const where of ['/v1/policy', '/v1/grants', '/v1/roster']) {
      expect(await plane.call(plane.token('helper'), 'PUT', where, { text: 'x' })).toMatchObject({ status: 403, body: { error: { code: 'refused_direct_edit' } } });
    }
    const added = await plane.stores.log.range(before, before + 10n, 10);
    expect(added.map(({ kind }) => kind)).toEqual(['edit_refused', 'edit_refused', 'edit_refused']);
  });
});

describe('an idempotency key', () => {
  it('answers again with the same action, and refuses another body', async () => {
    const session = await plane.openSession('Take a note.');
    const headers = { 'idempotency-key': 'note-1' };
    const first = await propose(session, 'notes', 'write', { text: 'x' }, headers);
    const second = await propose(session, 'notes', 'write', { text: 'x' }, headers);
    expect(second.body.id).toBe(first.body.id);
    expect(await propose(session, 'notes', 'write', { text: 'y' }, headers)).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
  });

  it('answers twenty calls at once with the same action, and with the same session', async () => {
    const session = await plane.openSession('Take a note.');
    const noted = await Promise.all(Array.from({ length: 20 }, () => propose(session, 'notes', 'write', { text: 'x' }, { 'idempotency-key': 'note-2' })));
    expect(new Set(noted.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const open = () =>
      plane.call(plane.token('desk'), 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'Note.', agent: 'helper' }, { 'idempotency-key': 'open-2' });
    const opened = await Promise.all(Array.from({ length: 20 }, open));
    expect(new Set(opened.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });
});

describe('the log', () => {
  it('is whole, covered by a checkpoint, and proves each receipt', async () => {
    const session = await plane.openSession('Take a note.');
    const { body } = await propose(session, 'notes', 'write', { text: 'x' });
    const proof = await plane.call(plane.token('helper'), 'GET', `/v1/log/proof?receipt=${body.receipt.id}`);
    expect(proof.body.proof).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
    expect((await plane.call(plane.token('helper'), 'GET', '/v1/log/checkpoint')).body.checkpoint).toMatch(/^countersign\.dev\/log\//);
  });
});
