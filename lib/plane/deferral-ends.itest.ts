import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { startPlaneProcess } from '@/lib/testing/plane-process';
import { createPool } from '@/lib/db/pool';
import { isId } from '@/lib/shared/ids';
import { deferralPolicy, deferralVouching } from '@/lib/testing/deferral-policy';

const quick = deferralPolicy.replace('approvals: { approvers: [approver], timeout: 30m,', 'approvals: { approvers: [approver], timeout: 1s,');

let plane: TestPlane;
beforeAll(async () => {
  plane = await startTestPlane(quick, { vouching: deferralVouching });
}, 60_000);
afterAll(async () => {
  await plane.stop();
});

const helper = () => plane.token('helper');
const propose = async (url: string, session: string, name: string, parameters: object): Promise<PlaneAnswer['body']> => {
  const [tool, operation] = name.split('.');
  return (await callPlane(url, helper(), 'POST', '/v1/actions', { session, tool, operation, parameters })).body;
};
const wait = async (url: string, id: string): Promise<PlaneAnswer['body']> => (await callPlane(url, helper(), 'GET', `/v1/actions/${id}?wait=20`)).body;
const supply = (url: string, session: string, name: string, value: unknown) =>
  callPlane(url, plane.token('records'), 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: 'calendar:standup', name, value }] });
const receiptsOf = async (id: string) => (isId('action', id) ? (await plane.stores.log.search({ action: id }, { limit: 100 })).rows : []);

it('a deferral whose people do not answer either ends in DENY: time lets nothing through', async () => {
  const { id } = await propose(plane.url, await plane.openSession('Check out the release.'), 'git.checkout', { reference: 'release' });
  const asked = await wait(plane.url, id);
  const ended = asked.state === 'held' ? await wait(plane.url, id) : asked;
  expect(ended).toMatchObject({ state: 'expired', code: 'approval_expired' });
  expect(ended).not.toHaveProperty('permit');
  const kinds = (await receiptsOf(id)).map(({ kind }) => kind).reverse();
  expect(kinds).toEqual(['action_decided', 'deferral_opened', 'action_decided', 'approval_requested', 'deferral_resolved', 'approval_resolved']);
}, 60_000);

describe('two processes that get the last fact at once', () => {
  it('decide the deferral once, in 20 races', async () => {
    const other = await startPlaneProcess(plane);
    try {
      for (let turn = 0; turn < 20; turn++) {
        const session = await plane.openSession('Delete the entry.');
        const { id } = await propose(plane.url, session, 'calendar.delete', { id: 'standup' });
        await supply(other.url, session, 'owner', 'requester@harbor.example');
        const answers = await Promise.all([supply(plane.url, session, 'criticality', 'low'), supply(other.url, session, 'criticality', 'low')]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200]);
        // Whoever did not decide it says so; a fact that came late never brings it back.
        expect(answers.flatMap(({ body }): unknown[] => body.redecided)).toEqual([id]);
        const rows = await receiptsOf(id);
        expect(rows.filter(({ kind }) => kind === 'deferral_resolved')).toHaveLength(1);
        expect(rows.filter(({ decision }) => decision === 'ALLOW')).toHaveLength(1);
        const permitted = (await plane.stores.sessions.entries(session as Parameters<typeof plane.stores.sessions.entries>[0], 0)).filter(({ entry }) => entry.kind === 'permit');
        expect(permitted).toHaveLength(1);
      }
    } finally {
      await other.stop();
    }
  }, 120_000);
});

it('what waits outlives the process that was killed while it waited, chain and all', async () => {
  const first = await startPlaneProcess(plane);
  const session = await plane.openSession('Delete the entry, then read it.');
  const head = await propose(first.url, session, 'calendar.delete', { id: 'standup' });
  const behind = (await callPlane(first.url, helper(), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' }, depends_on: [head.id] })).body;
  expect([head.state, behind.state]).toEqual(['deferred', 'deferred']);
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  const second = await startPlaneProcess(plane);
  try {
    const read = async (id: string): Promise<PlaneAnswer['body']> => (await callPlane(second.url, helper(), 'GET', `/v1/actions/${id}`)).body;
    expect(await read(head.id)).toMatchObject({ state: 'deferred', deferral: head.deferral });
    expect(await read(behind.id)).toMatchObject({ state: 'deferred', deferral: behind.deferral });
    await supply(second.url, session, 'owner', 'requester@harbor.example');
    expect((await supply(second.url, session, 'criticality', 'low')).body.redecided).toEqual([head.id]);
    const { permit } = await read(head.id);
    await callPlane(second.url, helper(), 'POST', `/v1/permits/${permit.id}/redeem`);
    await callPlane(second.url, helper(), 'POST', `/v1/actions/${head.id}/outcome`, { status: 'succeeded' });
    expect(await wait(second.url, behind.id)).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
  } finally {
    await second.stop();
  }
}, 120_000);

it('a message of the user decides again what waited for their words', async () => {
  const session = await plane.openSession('Delete the entry.');
  const { id } = await propose(plane.url, session, 'calendar.delete', { id: 'standup' });
  const said = await callPlane(plane.url, plane.token('desk'), 'POST', `/v1/sessions/${session}/messages`, { text: 'The one of Monday.' });
  expect(said.status).toBe(200);
  // It still defers, to the same end and without a receipt that says nothing new.
  expect((await receiptsOf(id)).map(({ kind }) => kind)).toEqual(['deferral_opened', 'action_decided']);
});

it('one that cannot be read keeps no other from its end', async () => {
  const fetching = async (): Promise<PlaneAnswer['body']> => await propose(plane.url, await plane.openSession('Fetch the page.'), 'http.fetch', { url: 'https://example.com/', method: 'GET' });
  const [broken, sound] = [await fetching(), await fetching()];
  expect([broken.state, sound.state]).toEqual(['deferred', 'deferred']);
  const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  await pool.query(`UPDATE "actions" SET "impact" = 'odd' WHERE "id" = $1`, [broken.id]);
  expect(await wait(plane.url, sound.id)).toMatchObject({ state: 'expired', code: 'deferral_expired' });
  await expect.poll(() => plane.log.some((line) => line.includes('keeping time failed') && line.includes('1 things')), { timeout: 10_000 }).toBe(true);
  await pool.query(`UPDATE "actions" SET "impact" = 'medium' WHERE "id" = $1`, [broken.id]);
  expect(await wait(plane.url, broken.id)).toMatchObject({ state: 'expired' });
  await pool.end();
}, 60_000);

it('while the clock of the database is behind the log nothing is decided; once it has caught up what is over ends', async () => {
  const session = await plane.openSession('Delete the entry.');
  const { id } = await propose(plane.url, session, 'calendar.delete', { id: 'standup' });
  const late = await propose(plane.url, await plane.openSession('Fetch the page.'), 'http.fetch', { url: 'https://example.com/', method: 'GET' });
  const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  // As if it had been set back by six seconds.
  await pool.query(`UPDATE "ledger_heads" SET "logged_at" = clock_timestamp() + interval '6 seconds'`);
  await pool.end();
  expect((await supply(plane.url, session, 'owner', 'requester@harbor.example')).status).toBe(503);
  const read = async (action: string): Promise<PlaneAnswer['body']> => (await callPlane(plane.url, helper(), 'GET', `/v1/actions/${action}`)).body;
  expect([(await read(id)).state, (await read(late.id)).state]).toEqual(['deferred', 'deferred']);
  await expect.poll(() => read(late.id), { timeout: 20_000, interval: 250 }).toMatchObject({ state: 'expired', code: 'deferral_expired' });
  await supply(plane.url, session, 'owner', 'requester@harbor.example');
  expect((await supply(plane.url, session, 'criticality', 'low')).body.redecided).toEqual([id]);
}, 60_000);
