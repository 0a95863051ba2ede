import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { stockCatalogue } from '@/lib/mediate/stock';
import { ownServiceKey } from '@/lib/server/service-keys';
import { exportBundle } from '@/lib/services/export-bundle';
import { isId } from '@/lib/shared/ids';
import { valueOf } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { startPlaneProcess, type PlaneProcess } from '@/lib/testing/plane-process';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import { verifyBundle } from '@/lib/verify/verify-bundle';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let processes: PlaneProcess[];
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 2, onIdleError: () => undefined });
  processes = await Promise.all([startPlaneProcess(plane), startPlaneProcess(plane)]);
}, 120_000);
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await pool.end();
  await plane.stop();
}, 60_000);

type Answered = { readonly key: string; readonly session: string; readonly answer: PlaneAnswer };
/** Null: the process is gone, and nobody was told anything. */
const propose = async (url: string, session: string, key: string): Promise<PlaneAnswer | null> => {
  const body = { session, tool: 'notes', operation: 'write', parameters: { text: `note ${key}` } };
  return await callPlane(url, plane.token('helper'), 'POST', '/v1/actions', body, { 'idempotency-key': `${session}-${key}` }).catch(() => null);
};
/** One agent that notes one thing after another in a session of its own, until its plane answers no more. What was too much just then is asked again. */
async function writer(url: string, session: string, each: number, told: Answered[], heard = (): void => undefined): Promise<void> {
  for (let n = 0, left = 50; n < each && left > 0; ) {
    const key = String(n);
    const answer = await propose(url, session, key);
    if (answer === null) return;
    if (answer.status !== 200) {
      left -= 1;
      continue;
    }
    told.push({ key, session, answer });
    heard();
    n += 1;
  }
}
async function sessions(count: number): Promise<readonly string[]> {
  const opened: string[] = [];
  while (opened.length < count) opened.push(await plane.openSession('Take notes.'));
  return opened;
}
async function isAllThere(told: readonly Answered[]): Promise<void> {
  const places = told.map(({ answer }) => answer.body.receipt as { readonly id: string; readonly index: number });
  expect(new Set(places.map(({ id }) => id)).size).toBe(told.length);
  expect(new Set(places.map(({ index }) => index)).size).toBe(told.length);
  for (const { id, index } of places) expect(isId('receipt', id) && (await plane.stores.log.byId(id))?.index).toBe(BigInt(index));
}
const decisions = async (session?: string): Promise<number> => {
  const sql = `SELECT count(*) AS "count" FROM "receipts" WHERE "kind" = 'action_decided' AND ($1::text IS NULL OR "session_id" = $1)`;
  return Number((await pool.query<{ count: string }>(sql, [session ?? null])).rows[0]?.count);
};

describe('50 parallel writers on two planes, each a process of its own', () => {
  it('make one unbroken log, with every answered decision in it exactly once', async () => {
    const told: Answered[] = [];
    const opened = await sessions(50);
    await Promise.all(processes.flatMap(({ url }, at) => opened.slice(25 * at, 25 * at + 25).map((session) => writer(url, session, 4, told))));
    expect(told).toHaveLength(200);
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    await isAllThere(told);
    expect(await decisions()).toBe(200);
  }, 120_000);

  it('and when one of the two is killed at a moment nobody chose, nothing that it had answered is missing, and the other decides the rest, each once', async () => {
    const [victim, other] = processes;
    if (!victim || !other) throw new Error('Two were started.');
    const [told, others]: [Answered[], Answered[]] = [[], []];
    const opened = await sessions(50);
    const enough = 1 + Math.floor(Math.random() * 100);
    const kill = (): void => {
      if (told.length === enough) process.kill(victim.pid, 'SIGKILL');
    };
    await Promise.all([
      ...opened.slice(0, 25).map((session) => writer(victim.url, session, 100, told, kill)),
      ...opened.slice(25).map((session) => writer(other.url, session, 4, others)),
    ]);
    expect(others).toHaveLength(100);
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    await isAllThere([...told, ...others]);
    // Whoever was told nothing asks again: what was decided stays decided, what was not is decided now.
    const last = new Map(told.map(({ session, key }) => [session, Number(key)]));
    await Promise.all([...last].map(async ([session, n]) => {
      expect((await propose(other.url, session, String(n + 1)))?.status).toBe(200);
      expect(await decisions(session)).toBe(n + 2);
    }));
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
  }, 120_000);

  it('all of it verified, every decision reproduced', async () => {
    const { log, content, authority } = plane.stores;
    const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
    const bundle = valueOf(await exportBundle({ workspace: plane.workspace, log, content, authority, sha256, signer, productVersion: 'test' }, { withhold: false, now: new Date().toISOString() }));
    const report = await verifyBundle(bundle.bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.rederived).toMatchObject({ differs: 0, notes: [] });
    expect(report.verdict).toBe('verified');
  }, 120_000);
});
