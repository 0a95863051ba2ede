import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import { exportBundle } from '@/lib/services/export-bundle';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { agentCalls } from '@/lib/testing/agent-calls';
import { valueOf } from '@/lib/testing/console-fixture';
import { housePolicy } from '@/lib/testing/house-policy';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { parseSnapshot } from '@/lib/verify/parse-snapshot';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

const policy = housePolicy('embeddings', {
  rules: `  - id: what-is-far-is-looked-at
    match: { tool: email, operation: send }
    context: { risk_signals: { semantic_distance: { gte: 0.9 } } }
    action: DENY
    classification: context_dependent_deny
    reason: "It has nothing to do with what was asked."
`,
});

let answer: (response: http.ServerResponse, texts: readonly string[]) => void;
let asked: string[] = [];
let endpoint: http.Server;
let plane: TestPlane;
let withoutEndpoint: { readonly url: string; readonly stop: () => Promise<void> };
const deadlineMs = 3000;

/** What speaks of minutes lies in one direction, everything else in another. */
const bySubject = (response: http.ServerResponse, texts: readonly string[]) => {
  response.end(JSON.stringify({ model: 'toy-1', data: texts.map((text, index) => ({ index, embedding: text.includes('minutes') ? [1, 0, 0] : [0, 1, 0] })) }));
};
beforeAll(async () => {
  endpoint = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      asked.push(...input);
      answer(response, input);
    });
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${String((endpoint.address() as AddressInfo).port)}/v1/embeddings`;
  plane = await startTestPlane(policy, {}, { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'toy', EMBEDDINGS_ALLOW_PRIVATE: 'true', EMBEDDINGS_DEADLINE_MS: String(deadlineMs) });
  withoutEndpoint = await plane.another({ EMBEDDINGS_URL: '', EMBEDDINGS_MODEL: '', EMBEDDINGS_ALLOW_PRIVATE: '', EMBEDDINGS_DEADLINE_MS: '' });
}, 60_000);
beforeEach(() => {
  asked = [];
  answer = bySubject;
});
afterAll(async () => {
  await withoutEndpoint.stop();
  await plane.stop();
  endpoint.closeAllConnections();
  endpoint.close();
});

const { propose } = agentCalls(() => plane);
const mail = async (session: string, body: string) => (await propose(session, 'email.send', { to: 'ann@harbor.example', body })).body as { readonly id: string; readonly decision: string };
const snapshotOf = async (action: string) => {
  const row = (await plane.stores.actions.find([action as never])).values().next().value;
  const digest = row?.snapshot as Digest;
  const snapshot = parseSnapshot((await plane.stores.content.find([digest])).get(digest)?.value as Json);
  if (!snapshot) throw new Error('No snapshot.');
  return snapshot;
};
const distanceOf = async (action: string) => (await snapshotOf(action)).signals.find(({ name }) => name === 'semantic_distance');

describe('with an embeddings endpoint', () => {
  it('decisions rest on its vectors, and model and version stand in the snapshot', async () => {
    const session = await plane.openSession('Mail the minutes to ann@harbor.example.');
    const near = await mail(session, 'the minutes');
    expect(near.decision).toBe('ALLOW');
    expect(await snapshotOf(near.id)).toMatchObject({ embedding: { model: 'toy', version: 'toy-1', formula: 1, before: null, request_at: 0 } });
    expect(await distanceOf(near.id)).toMatchObject({ score: 1000, weight: 50 });
  });

  it('what is far is far at once in a new session, and over many steps in one that began near', async () => {
    const first = await mail(await plane.openSession('Send the minutes to ann@harbor.example.'), 'buy this now');
    expect(first.decision).toBe('DENY');
    expect(await distanceOf(first.id)).toMatchObject({ score: 0 });
    const session = await plane.openSession('Forward the minutes to ann@harbor.example.');
    await mail(session, 'the minutes');
    const decisions: string[] = [];
    for (let n = 0; n < 12; n++) decisions.push((await mail(session, `buy number ${String(n)}`)).decision);
    expect(decisions[0]).toBe('ALLOW');
    expect(decisions.at(-1)).toBe('DENY');
  });

  it('each text is sent once, and no sensitive one at all', async () => {
    const session = await plane.openSession('Fetch the minutes, please.');
    for (let n = 0; n < 3; n++) await propose(session, 'http.fetch', { url: 'https://harbor.example/minutes', method: 'GET', headers: { cookie: 'secret-of-hers' } });
    expect(asked.filter((text) => text.startsWith('http fetch'))).toHaveLength(1);
    expect(asked.filter((text) => text === 'Fetch the minutes, please.')).toHaveLength(1);
    expect(asked.join()).not.toContain('secret-of-hers');
  });

  it.each<[string, typeof answer]>([
    ['silent', () => undefined],
    ['broken', (response) => void response.writeHead(500).end()],
    ['unreadable', (response) => void response.end('{"model":"toy-1","data":[]}')],
    ['sending elsewhere', (response) => void response.writeHead(307, { location: '/other' }).end()],
  ])('one that is %s makes the distance unknown, and the decision is made all the same', async (what, how) => {
    answer = how;
    const session = await plane.openSession(`Mail the minutes to ann@harbor.example, ${what}.`);
    const started = performance.now();
    const decided = await mail(session, `the minutes, ${what}`);
    expect(performance.now() - started).toBeLessThan(deadlineMs + 10_000);
    // A rule that denies what is far cannot be told false: it turns out the strictest way, and nobody could supply the distance.
    expect(decided.decision).toBe('DENY');
    expect(await distanceOf(decided.id)).toMatchObject({ score: null, weight: 50 });
    expect((await propose(session, 'notes.read', {})).status).toBe(400);
    expect((await propose(session, 'database.query', { query: 'SELECT id FROM orders' })).body.decision).toBe('ALLOW');
  });

  it('and without one nothing is asked and nothing of it is in the snapshot', async () => {
    const session = await plane.openSession('Mail the minutes to ann@harbor.example today.');
    const { body } = await callPlane(withoutEndpoint.url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'email', operation: 'send', parameters: { to: 'ann@harbor.example', body: 'the minutes' } });
    expect(body.decision).toBe('ALLOW');
    expect(asked).toEqual([]);
    expect(Object.hasOwn(await snapshotOf(body.id as string), 'embedding')).toBe(false);
    expect((await distanceOf(body.id as string))?.evidence).toContain('in the request');
  });

  it('every decision is reached again from what is stored, without the endpoint', async () => {
    asked = [];
    answer = () => {
      throw new Error('Nobody asks.');
    };
    const { log, content, authority } = plane.stores;
    const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
    const bundle = valueOf(await exportBundle({ workspace: plane.workspace, log, content, authority, sha256, signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString() }));
    const report = await verifyBundle(bundle.bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
    expect(report.rederived.notes).toEqual([]);
    expect(report.rederived.reproduced).toBeGreaterThan(20);
    expect(report.verdict).toBe('verified');
    expect(asked).toEqual([]);
  });
});
