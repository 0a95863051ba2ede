import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { isId } from '@/lib/shared/ids';
import { deferralPolicy, deferralVouching } from '@/lib/testing/deferral-policy';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { startPlaneProcess } from '@/lib/testing/plane-process';

let plane: TestPlane;
let server: http.Server;
let folder: string;
let answers = false;
let asked = 0;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked++;
    // Who is asked takes longer than whoever asks lives.
    if (answers) response.end('{"value":"known"}');
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-points-'));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  await writeFile(path.join(folder, 'points.json'), JSON.stringify({ registry: { url, allow_private: true } }));
  // This plane keeps time and has no address of anybody.
  plane = await startTestPlane(deferralPolicy, { vouching: deferralVouching });
}, 60_000);
afterAll(async () => {
  await plane.stop();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

it('an attempt whose asker was killed is given up with a receipt, counts, and is made again by whoever comes next', async () => {
  const settings = { INFORMATION_POINTS: path.join(folder, 'points.json') };
  const first = await startPlaneProcess(plane, settings);
  const session = await plane.openSession('Delete the entry.');
  const proposed = await callPlane(first.url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'calendar', operation: 'delete', parameters: { id: 'standup' } });
  const { id } = proposed.body as { readonly id: string };
  if (!isId('action', id)) throw new Error(`${id} is no action.`);
  const attempts = async () => {
    const deferral = await plane.stores.approvals.deferralOf(id);
    return (deferral ? await plane.stores.attempts.ofDeferrals([deferral.id]) : []).map(({ attempt, outcome }) => [attempt, outcome]);
  };
  await expect.poll(() => asked, { timeout: 20_000 }).toBe(1);
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  expect(await attempts()).toEqual([[1, null]]);

  answers = true;
  const second = await startPlaneProcess(plane, settings);
  try {
    await expect.poll(attempts, { timeout: 60_000, interval: 500 }).toEqual([[1, 'failed'], [2, 'supplied']]);
    const { rows } = await plane.stores.log.search({ action: id }, { limit: 100 });
    expect(rows.filter(({ kind }) => kind === 'deferral_attempted')).toHaveLength(2);
    expect(asked).toBe(2);
  } finally {
    await second.stop();
  }
}, 120_000);
