import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import { exportBundle } from '@/lib/services/export-bundle';
import { isId } from '@/lib/shared/ids';
import { valueOf } from '@/lib/testing/console-fixture';
import { cutAtMessage, type MessageProxy } from '@/lib/testing/cut-at-message';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

let plane: TestPlane;
let proxy: MessageProxy;
let cut: { readonly url: string; readonly stop: () => Promise<void> };
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  proxy = await cutAtMessage(plane.databaseUrl);
  cut = await plane.another({ DATABASE_URL: proxy.url });
  pool = createPool({ url: plane.databaseUrl, max: 2, onIdleError: () => undefined });
}, 60_000);
afterAll(async () => {
  await cut.stop();
  await proxy.close();
  await pool.end();
  await plane.stop();
});

const call = (subject: string, method: string, path: string, body?: unknown, headers = {}): Promise<PlaneAnswer> =>
  callPlane(cut.url, plane.token(subject), method, path, body, headers);
let key = 0;
const proposal = (session: string, tool: string, operation: string, parameters: object) => {
  const headers = { 'idempotency-key': `key-${String(key++)}-of-this-test` };
  return () => call('helper', 'POST', '/v1/actions', { session, tool, operation, parameters }, headers);
};

const isSound = async (): Promise<number> => {
  const report = await fsck(pool, plane.workspace);
  expect(report).toMatchObject({ ok: true });
  return report.ok ? Number(report.size) : 0;
};
const isThere = async ({ body }: PlaneAnswer): Promise<void> => {
  const { id, index } = body.receipt as { readonly id: string; readonly index: number };
  expect(isId('receipt', id) && (await plane.stores.log.byId(id))?.index).toBe(BigInt(index));
};

/** `npm run test:long` tries every message of every transaction; else some transactions take every few. */
const isLong = process.env['CRASH_ROUNDS'] !== undefined;

/**
 * Breaks the connection at one message after another, `stride` apart, until the transaction is too short to be broken there, and then at
 * its last one. Gives how many it has.
 */
async function atEach(kind: 'sent' | 'heard', stride: number, attempt: (fired: () => boolean) => Promise<void>): Promise<number> {
  const breaksAt = async (n: number): Promise<boolean> => {
    const { fired } = proxy.arm(kind === 'sent' ? { sent: n } : { heard: n });
    await attempt(fired);
    proxy.disarm();
    await isSound();
    return fired();
  };
  const step = isLong ? 1 : stride;
  let n = 0;
  // Tried twice: what a plane does beside it may have taken the break.
  while ((await breaksAt(n)) || (await breaksAt(n))) n += step;
  let last = n - 1;
  while (last > n - step && !(await breaksAt(last))) last -= 1;
  return last + 1;
}

type Proposing = (session: string) => () => Promise<PlaneAnswer>;
const mail: Proposing = (session) => proposal(session, 'email', 'send', { to: 'ann@harbor.example', body: 'hello' });
const write: Proposing = (session) => proposal(session, 'files', 'write', { path: 'report.txt', content: 'numbers' });

describe('a connection that breaks at any message leaves a sound log, and an action is decided once, whoever asks again, and never lost once answered', () => {
  it.each<[string, 'sent' | 'heard', string, Proposing, number]>([
    ['its last to the server', 'sent', 'an action that is allowed', mail, 2],
    ['its last from the server', 'heard', 'an action that is allowed', mail, 5],
    ['its last to the server', 'sent', 'an action that is held for people', write, 7],
    ['its last from the server', 'heard', 'an action that is held for people', write, 7],
  ])('%s (%s): %s', async (_which, kind, _what, propose, stride) => {
    let asked = 0;
    let session = '';
    const before = await isSound();
    const messages = await atEach(kind, stride, async (fired) => {
      // Only so many actions may wait in one session.
      if (asked % 8 === 0) session = await plane.openSession('Mail ann@harbor.example and write the report.');
      asked += 1;
      const again = propose(session);
      const first = await again();
      // Told that it failed, nobody knows; told that it is decided, it is.
      if (first.status < 300) await isThere(first);
      else expect(fired()).toBe(true);
      proxy.disarm();
      const second = await again();
      expect(second.status).toBeLessThan(300);
      await isThere(second);
      if (first.status < 300) expect(second.body.id).toBe(first.body.id);
    });
    expect(messages).toBeGreaterThan(30);
    const { rows } = await pool.query<{ count: string }>(`SELECT count(*) AS "count" FROM "receipts" WHERE "kind" = 'action_decided' AND "index" >= $1`, [before]);
    expect(Number(rows[0]?.count)).toBe(asked);
  }, isLong ? 600_000 : 120_000);

  it('its last to the server (sent): a permit that is redeemed, which runs once at most', async () => {
    const session = await plane.openSession('Mail ann@harbor.example.');
    await atEach('sent', 4, async (fired) => {
      proxy.disarm();
      const { body } = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'email', operation: 'send', parameters: { to: 'ann@harbor.example', body: 'hello' } });
      const permit = body.permit.id as string;
      const redeem = () => call('gate', 'POST', `/v1/permits/${permit}/redeem`);
      await call('helper', 'GET', `/v1/actions/${String(body.id)}`);
      proxy.rearm();
      const first = await redeem();
      proxy.disarm();
      const second = await redeem();
      if (first.status === 200) expect(second.status).not.toBe(200);
      else expect(fired()).toBe(true);
      const { rows } = await pool.query<{ count: string }>(`SELECT count(*) AS "count" FROM "receipts" WHERE "kind" = 'permit_redeemed' AND "action_id" = $1`, [body.id]);
      // Redeemed in the log, whether or not anybody was told; and never for two who were.
      expect(Number(rows[0]?.count)).toBe(1);
      expect([first, second].filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    });
  }, isLong ? 600_000 : 120_000);
});

it('what was written across all of these breaks is verified, every decision reproduced', async () => {
  const { log, content, authority } = plane.stores;
  const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
  const bundle = valueOf(await exportBundle({ workspace: plane.workspace, log, content, authority, sha256, signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString() }));
  const report = await verifyBundle(bundle.bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
  expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(report.rederived).toMatchObject({ differs: 0, notes: [] });
  expect(report.verdict).toBe('verified');
});
