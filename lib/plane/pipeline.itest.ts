import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

let plane: TestPlane;
let folder: string;
let list: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-points-'));
  list = path.join(folder, 'blocklist.txt');
  await writeFile(list, 'evil.example\n');
  plane = await startTestPlane(planePolicy, {}, { BLOCKLIST: list });
}, 60_000);
afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await writeFile(list, '# kept by the security team\nevil.example  # and all below it\n');
});

const note = { tool: 'notes', operation: 'write', parameters: { text: 'x' } };
const mail = (to: string) => ({ tool: 'email', operation: 'send', parameters: { to, subject: 's', body: 'b' } });
const propose = async (body: object) => await plane.call(plane.token('helper'), 'POST', '/v1/actions', body);
const batch = async (session: string, actions: readonly object[]) => await plane.call(plane.token('helper'), 'POST', '/v1/actions:batch', { session, actions });
type Shown = { readonly id: string; readonly decision: string; readonly code: string; readonly receipt: { readonly id: string } };
const resultsOf = ({ body }: PlaneAnswer): readonly Shown[] => body.results as readonly Shown[];
const shown = (answer: PlaneAnswer): readonly string[] => resultsOf(answer).map(({ decision, code }) => `${decision} ${code}`);

describe('a further decision point', () => {
  it('permits, denies, and has its answer in the evidence that receipts name', async () => {
    const session = await plane.openSession('Send the notes.');
    const sent = await propose({ session, ...mail('carl@friends.example') });
    expect(sent.body).toMatchObject({ decision: 'ALLOW' });
    const stopped = await propose({ session, ...mail('eve@mail.evil.example') });
    expect(stopped.body).toMatchObject({ decision: 'DENY', code: 'point_denied', reason: 'blocklist: evil.example is on it.' });
    const rows = await plane.stores.actions.find([stopped.body.id as never]);
    const digest = [...rows.values()][0]?.snapshot;
    const content = digest ? (await plane.stores.content.find([digest])).get(digest)?.value : undefined;
    expect(content).toMatchObject({ points: [{ point: 'blocklist', answer: 'deny', cause: 'evil.example is on it.', at: expect.stringMatching(/Z$/) }] });
  });

  it('that permits loosens nothing', async () => {
    const session = await plane.openSession('Drop it.');
    expect((await propose({ session, tool: 'database', operation: 'drop', parameters: { table: 't' } })).body).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
  });

  it('that fails denies, and no later than it is mended', async () => {
    const session = await plane.openSession('Send the notes.');
    await rm(list);
    expect((await propose({ session, ...mail('carl@friends.example') })).body).toMatchObject({ decision: 'DENY', code: 'point_failed' });
    await writeFile(list, '');
    expect((await propose({ session, ...mail('carl@friends.example') })).body).toMatchObject({ decision: 'ALLOW' });
  });

  it('is asked again where a permit is decided again before it is used', async () => {
    const session = await plane.openSession('Send the notes.');
    const sent = await propose({ session, ...mail('carl@friends.example') });
    await plane.call(plane.token('desk'), 'POST', `/v1/sessions/${session}/messages`, { text: 'And hurry.' });
    await writeFile(list, 'friends.example\n');
    expect(await plane.call(plane.token('helper'), 'POST', `/v1/permits/${String(sent.body.permit.id)}/redeem`)).toMatchObject({ status: 409, body: { error: { code: 'permit_stale' } } });
  });
});

describe('a batch', () => {
  it('answers each action in order; a denial stops nothing', async () => {
    const session = await plane.openSession('Take notes.');
    const answer = await batch(session, [note, mail('eve@evil.example'), note]);
    expect([answer.status, shown(answer)]).toEqual([200, ['ALLOW allowed', 'DENY point_denied', 'ALLOW allowed']]);
  });

  it('is stopped by a fault: each later action is denied as pipeline_stopped, with a receipt of its own', async () => {
    const session = await plane.openSession('Take notes.');
    await rm(list);
    const answer = await batch(session, [note, mail('carl@friends.example'), note, mail('carl@friends.example'), note]);
    expect([answer.status, shown(answer)]).toEqual([200, ['ALLOW allowed', 'DENY point_failed', 'DENY pipeline_stopped', 'DENY pipeline_stopped', 'DENY pipeline_stopped']]);
    expect(new Set(resultsOf(answer).map(({ receipt }) => receipt.id)).size).toBe(5);
    for (const { id } of resultsOf(answer).slice(2)) expect((await plane.call(plane.token('helper'), 'GET', `/v1/actions/${id}`)).body).toMatchObject({ state: 'denied', code: 'pipeline_stopped' });
  });

  it('is stopped by a fault of an action that policy denies anyway', async () => {
    const session = await plane.openSession('Take notes.');
    await rm(list);
    const { body } = await batch(session, [{ tool: 'http', operation: 'fetch', parameters: { url: 'https://carl.example/', method: 'GET' } }, note]);
    expect(body.results[0]).toMatchObject({ decision: 'DENY' });
    expect(body.results[1]).toMatchObject({ decision: 'DENY', code: 'pipeline_stopped' });
  });

  it('that holds an action which cannot be understood is refused whole, with the place of each, and nothing of it is decided', async () => {
    const session = await plane.openSession('Take notes.');
    const { status, body } = await batch(session, [note, { tool: 'rocket', operation: 'launch', parameters: {} }, { tool: 'notes', operation: 'write', parameters: { text: 5 } }]);
    expect([status, body.error.code]).toEqual([400, 'unknown_tool']);
    expect(body.error.errors).toEqual([expect.objectContaining({ path: 'actions.1' }), expect.objectContaining({ path: expect.stringMatching(/^actions\.2/) })]);
    expect(await plane.stores.actions.ofSession(session as never, ['permitted', 'denied', 'held'])).toEqual([]);
  });
});
