import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { startCommitThread } from '@/lib/server/commit-thread';
import { isId } from '@/lib/shared/ids';
import { dyingCommitThread, threadThat, type ThreadDeath } from '@/lib/testing/dying-commit-thread';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
const atEnd: (() => Promise<void>)[] = [];
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 2, onIdleError: () => undefined });
}, 60_000);
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end();
});
afterAll(async () => {
  await pool.end();
  await plane.stop();
});

const isThere = async ({ body }: PlaneAnswer): Promise<void> => {
  const { id, index } = body.receipt as { readonly id: string; readonly index: number };
  expect(isId('receipt', id) && (await plane.stores.log.byId(id))?.index).toBe(BigInt(index));
};

describe('a commit thread that ends while it appends', () => {
  it.each<[string, ThreadDeath]>([
    ['before it begins', { query: 'BEGIN', when: 'before' }],
    ['once the head is locked', { query: 'lock_head', when: 'answered' }],
    ['once the receipts are inserted', { query: 'insert_receipts', when: 'answered' }],
    ['while the checkpoint is inserted', { query: 'insert_checkpoint', when: 'before' }],
    ['before it commits', { query: 'COMMIT', when: 'before' }],
    ['after the commit, before answers leave', { query: 'COMMIT', when: 'answered' }],
  ])('%s: nobody is told that anything was decided, the log is sound, and asking another plane decides it once', async (_when, death) => {
    const session = await plane.openSession('Take notes.');
    const dying = await plane.another({}, await dyingCommitThread(plane, death));
    atEnd.push(dying.stop);
    const before = (await plane.stores.log.head()).size;
    const propose = (url: string, n: number) =>
      callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: `note ${String(n)}` } }, { 'idempotency-key': `${session}-${String(n)}` });
    const answers = await Promise.all([1, 2, 3].map((n) => propose(dying.url, n)));
    await dying.commitsEnded;
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect((await propose(dying.url, 4)).status).toBe(503);
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    for (const n of [1, 2, 3]) {
      const again = await propose(plane.url, n);
      expect(again).toMatchObject({ status: 200, body: { decision: 'ALLOW' } });
      await isThere(again);
    }
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true, size: before + 3n });
  });
});

describe('a commit thread that cannot begin', () => {
  it.each(['ends', 'throws'] as const)('and %s is a plane that does not start', async (does) => {
    await expect(startCommitThread(threadThat(does))).rejects.toThrow();
  }, 5000);
});
