import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { parseEnvelope } from '@/lib/shared/dsse';
import { isId } from '@/lib/shared/ids';
import { deferralPolicy, deferralVouching } from '@/lib/testing/deferral-policy';
import { startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';

type Asked = { readonly name: string; readonly subject: string };

let plane: TestPlane;
let other: { readonly url: string; readonly stop: () => Promise<void> };
let server: http.Server;
let folder: string;
let asked: Asked[] = [];
let answer: (asked: Asked, times: number) => { readonly status: number; readonly body: object } | null = () => null;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const question = JSON.parse(body) as Asked;
      asked.push(question);
      const found = answer(question, asked.filter(({ name, subject }) => name === question.name && subject === question.subject).length);
      if (found) response.writeHead(found.status).end(JSON.stringify(found.body));
      else request.socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-points-'));
  const file = path.join(folder, 'points.json');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  // The stranger has an address and no place in the roster: nobody believes it.
  await writeFile(file, JSON.stringify({ records: { url, allow_private: true }, stranger: { url, allow_private: true } }));
  plane = await startTestPlane(deferralPolicy.replace('owner: { from: [ip:records,', 'owner: { from: [ip:records, ip:stranger,'), { vouching: deferralVouching }, { INFORMATION_POINTS: file });
  // Two planes keep time and ask, so that what happens once happens once among several.
  other = await plane.another();
}, 60_000);
afterAll(async () => {
  await other.stop();
  await plane.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
});

const remove = async (id: string): Promise<PlaneAnswer['body']> => {
  const session = await plane.openSession('Delete the entry.');
  return (await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'calendar', operation: 'delete', parameters: { id } })).body;
};
const read = async (id: string): Promise<PlaneAnswer['body']> => (await plane.call(plane.token('helper'), 'GET', `/v1/actions/${id}`)).body;
const attemptsOf = async (id: string): Promise<readonly ReceiptPredicate<'deferral_attempted'>[]> => {
  if (!isId('action', id)) throw new Error(`${id} is no action.`);
  const { rows } = await plane.stores.log.search({ action: id }, { limit: 100 });
  return rows.toReversed().flatMap(({ envelope }) => {
    const parsed = parseEnvelope(envelope);
    const body = parsed.ok ? readStatement(nodeSha256, parsed.value) : parsed;
    return body.ok && body.value.kind === 'deferral_attempted' ? [body.value.predicate] : [];
  });
};

describe('the plane asks information points for what is missing', () => {
  it('once a field, and decides again with what they say', async () => {
    answer = ({ name }) => ({ status: 200, body: { value: name === 'owner' ? 'requester@harbor.example' : 'low' } });
    const { id, state } = await remove('standup');
    expect(state).toBe('deferred');
    await expect.poll(() => read(id), { timeout: 20_000 }).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    expect(asked.map(({ name }) => name).toSorted()).toEqual(['criticality', 'owner']);
    const attempts = await attemptsOf(id);
    expect(attempts.filter(({ outcome }) => outcome === 'supplied').map(({ attribute, source, attempt }) => [attribute, source, attempt]).toSorted()).toEqual([
      ['criticality', 'ip:records', 1], ['owner', 'ip:records', 1],
    ]);
    expect(attempts.filter(({ source }) => source === 'ip:stranger')).toMatchObject([{ outcome: 'failed', detail: 'The signed roster in force does not list ip:stranger for owner.' }]);
  });

  it('and takes it when they settle that there is nothing', async () => {
    answer = ({ name }) => ({ status: 200, body: name === 'owner' ? { unavailable: true } : { value: 'low' } });
    const { id } = await remove('review');
    await expect.poll(() => read(id), { timeout: 20_000 }).toMatchObject({ decision: 'DENY', state: 'denied' });
    expect((await attemptsOf(id)).filter(({ source }) => source === 'ip:records').map(({ attribute, outcome }) => [attribute, outcome]).toSorted()).toEqual([
      ['criticality', 'supplied'], ['owner', 'unavailable'],
    ]);
  });

  it('again after a pause when they fail, each attempt with its receipt, and a supplied field never again', async () => {
    answer = ({ name }, times) => (name === 'owner' ? { status: 200, body: { value: 'requester@harbor.example' } } : times === 1 ? null : { status: 200, body: { value: 'low' } });
    const { id } = await remove('retro');
    await expect.poll(() => read(id), { timeout: 25_000, interval: 250 }).toMatchObject({ decision: 'ALLOW', state: 'permitted' });
    expect(asked.filter(({ name }) => name === 'owner')).toHaveLength(1);
    expect((await attemptsOf(id)).filter(({ attribute }) => attribute === 'criticality').map(({ attempt, outcome }) => [attempt, outcome])).toEqual([[1, 'failed'], [2, 'supplied']]);
  }, 40_000);
});
