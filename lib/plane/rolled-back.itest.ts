import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { parsePin } from '@/lib/authority/parse-pin';
import { createPool } from '@/lib/db/pool';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { startPlaneProcess } from '@/lib/testing/plane-process';
import { planePolicy } from '@/lib/testing/plane-policy';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-heads-'));
  plane = await startTestPlane(planePolicy, {}, { CHECKPOINT_FILE: path.join(folder, 'log.checkpoint') });
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
}, 60_000);
afterEach(async () => {
  await pool.end();
  await plane.stop();
  await rm(folder, { recursive: true });
});

type Head = Record<'epoch' | 'size' | 'last_hash' | 'frontier' | 'logged_at', unknown>;
const headRow = async (): Promise<Head> => {
  const { rows } = await pool.query<Head>('SELECT epoch, size, last_hash, frontier, logged_at FROM ledger_heads');
  if (!rows[0]) throw new Error('There is no head.');
  return rows[0];
};

/** What a dump taken at `head` leaves when it is loaded again: the log ends there. */
async function restore({ size, last_hash, frontier, logged_at }: Head): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  await pool.query('DELETE FROM receipts WHERE index >= $1', [size]);
  await pool.query('DELETE FROM checkpoints WHERE size > $1', [size]);
  await pool.query('UPDATE ledger_heads SET size = $1, last_hash = $2, frontier = $3, logged_at = $4, epoch = epoch + 1', [size, last_hash, frontier, logged_at]);
}

const readiness = async (url = plane.url) => (await callPlane(url, null, 'GET', '/readyz')).body as { readonly status: string; readonly code?: string };
const sizeNow = async () => Number((await plane.stores.log.head()).size);
const pinned = async (state = plane.stateDirectory): Promise<number> => {
  const pin = parsePin(await readFile(path.join(state, 'pin.plane.json'), 'utf8'));
  return pin.ok ? (pin.value.log?.size ?? 0) : -1;
};
const untilPinned = async (size: number): Promise<void> => {
  await vi.waitUntil(async () => {
    await readiness();
    return (await pinned()) >= size;
  }, { timeout: 10_000 });
};
const open = (url = plane.url) =>
  callPlane(url, plane.token('desk'), 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'Take notes.', agent: 'helper' });
const grow = async (count: number, url = plane.url): Promise<void> => {
  for (let n = 0; n < count; n++) expect((await open(url)).status).toBe(201);
};

describe('a database restored from an earlier dump', () => {
  it('is found by the process that runs and by one that starts: everything is denied, and no tree head of it is signed', async () => {
    await grow(2);
    const early = await headRow();
    await grow(3);
    await untilPinned(await sizeNow());
    await vi.waitUntil(async () => (await readFile(path.join(folder, 'log.checkpoint'), 'utf8').catch(() => '')) !== '', { timeout: 10_000 });
    const exported = await readFile(path.join(folder, 'log.checkpoint'), 'utf8');
    await restore(early);
    expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    const other = await plane.another();
    try {
      expect(await readiness(other.url)).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
      const session = String((await open(other.url)).body.id ?? '');
      const proposed = await callPlane(other.url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
      expect(proposed.body).not.toMatchObject({ decision: 'ALLOW' });
      const { rows } = await pool.query('SELECT max(size)::int AS most FROM checkpoints');
      expect(rows).toEqual([{ most: expect.toSatisfy((most: number | null) => most === null || most <= Number(early.size)) as number }]);
    } finally {
      await other.stop();
    }
    expect(await readFile(path.join(folder, 'log.checkpoint'), 'utf8')).toBe(exported);
  });

  it('is found when another process has made it longer than it was, with receipts that are well signed', async () => {
    await grow(2);
    const early = await headRow();
    await grow(2);
    await untilPinned(await sizeNow());
    // The same keys, and pins that know nothing of what was served since.
    const forger = path.join(folder, 'state');
    await cp(plane.stateDirectory, forger, { recursive: true });
    await rm(path.join(forger, 'pin.plane.json'));
    await restore(early);
    const other = await plane.another({ COUNTERSIGN_STATE: forger, CHECKPOINT_FILE: '' });
    try {
      await grow(6, other.url);
      expect(await sizeNow()).toBeGreaterThan(await pinned());
      expect(await readiness(other.url)).toMatchObject({ status: 'ready' });
      expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    } finally {
      await other.stop();
    }
  });
});

describe('a database of another installation', () => {
  it('is found: its trust root is not the pinned one, however well everything in it is signed', async () => {
    const foreign = await startTestPlane(planePolicy);
    const other = await plane.another({ DATABASE_URL: foreign.databaseUrl });
    try {
      expect(await readiness(other.url)).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    } finally {
      await other.stop();
      await foreign.stop();
    }
  });
});

describe('a plane that is killed', () => {
  it('has never pinned more than was durable: it starts again without a false alarm, and its pin has not moved back', async () => {
    const child = await startPlaneProcess(plane);
    const calls = Array.from({ length: 30 }, () => open(child.url).catch(() => null));
    // Each look pins what was committed by then, in the middle of commits.
    const looks = Array.from({ length: 10 }, () => readiness(child.url).catch(() => null));
    await Promise.race([Promise.all(calls.slice(0, 15)), Promise.all(looks)]);
    process.kill(child.pid, 'SIGKILL');
    await Promise.allSettled([...calls, ...looks]);
    const before = await pinned();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThanOrEqual(await sizeNow());
    const next = await plane.another();
    expect(await readiness(next.url)).toMatchObject({ status: 'ready' });
    expect(await pinned()).toBeGreaterThanOrEqual(before);
    await next.stop();
  }, 90_000);
});
