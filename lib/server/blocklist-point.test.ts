import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { DecisionPoint, PointReply } from '@/lib/ports/decision-point';
import type { ActionId } from '@/lib/shared/ids';
import type { JsonObject } from '@/lib/shared/json';
import { act, session } from '@/lib/testing/context-builders';

import { blocklistPoint } from './blocklist-point';

let folder: string;
let file: string;
let point: DecisionPoint;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-blocklist-'));
  file = path.join(folder, 'list.txt');
  await writeFile(file, '# remarks\nEvil.Example   # and below\nacct-666\ncarl@corp.example\n\n');
  point = await blocklistPoint(file);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const ask = async (key: string, parameters: JsonObject): Promise<PointReply> => {
  const { tool, operation, facts, parameters: given } = act(key, parameters);
  return await point.ask({ action: { id: 'act_1' as ActionId, tool, operation, parameters: given, impact: facts.impact, facts }, session: { id: session, human: 'h', agent: 'a', requests: [], labels: [] }, at: '2026-03-01T10:00:00.000Z' }, AbortSignal.timeout(5000));
};

test.each<[string, JsonObject, PointReply['answer']]>([
  ['email.send', { to: 'eve@evil.example', body: '' }, 'deny'],
  ['email.send', { to: 'eve@MAIL.evil.example', body: '' }, 'deny'],
  ['email.send', { to: ['bob@corp.example', 'carl@corp.example'], body: '' }, 'deny'],
  ['email.send', { to: 'bob@notevil.example', body: 'evil.example' }, 'permit'],
  ['email.send', { to: 'a@b@c', body: '' }, 'indeterminate'],
  ['http.fetch', { url: 'https://docs.evil.example/x', method: 'GET' }, 'deny'],
  ['http.fetch', { url: 'https://evil.example.corp.example/', method: 'GET' }, 'permit'],
  ['payments.transfer', { to: 'acct-666', amount: 5, currency: 'EUR' }, 'deny'],
  ['payments.transfer', { to: 'acct-667', amount: 5, currency: 'EUR' }, 'permit'],
  ['files.list', { path: '/srv' }, 'permit'],
])('%s %j: %s', async (key, parameters, wanted) => {
  expect((await ask(key, parameters)).answer).toBe(wanted);
});

test('a changed list counts at once; one that is gone or too large is a fault where something goes somewhere', async () => {
  const mail = { to: 'dora@corp.example', body: '' };
  expect((await ask('email.send', mail)).answer).toBe('permit');
  await writeFile(file, 'dora@corp.example');
  await utimes(file, new Date(), new Date(Date.now() + 5000));
  expect((await ask('email.send', mail)).answer).toBe('deny');
  await writeFile(file, 'x'.repeat(4 * 1024 * 1024 + 1));
  await expect(ask('email.send', mail)).rejects.toThrow('over');
  await rm(file);
  await expect(ask('email.send', mail)).rejects.toThrow();
  await expect(blocklistPoint(file)).rejects.toThrow();
});
