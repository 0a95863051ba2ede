import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

import { createStores } from '@/lib/db/create-stores';
import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { isCommitUnknown } from '@/lib/ports/store-faults';
import type { WorkspaceId } from '@/lib/shared/ids';
import { cutAtCommit } from '@/lib/testing/cut-at-commit';
import { commitSteps, startCommitProcess, testCheckpoints, type Told } from '@/lib/testing/commit-steps';
import { receipts } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { Draft } from './draft';
import { groupCommit, type CommitStores } from './group-commit';

let opened: TestStores;
beforeAll(async () => {
  opened = await openTestStores();
});
afterAll(async () => {
  await opened.close();
});

/** How often a crash at a random moment is tried; `npm run test:long` tries more. */
const rounds = Number(process.env['CRASH_ROUNDS'] ?? 1);

type Log = Awaited<ReturnType<TestStores['newWorkspace']>>;
const soundSize = async (workspace: WorkspaceId): Promise<number> => {
  const report = await fsck(opened.pool, workspace);
  expect(report).toMatchObject({ ok: true });
  return report.ok ? Number(report.size) : -1;
};
/** Everything that was answered is where it was said to be, and in no second place. */
async function isAllThere({ stores }: Log, told: readonly Told[]): Promise<void> {
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  expect(new Set(told.map(({ index }) => index)).size).toBe(told.length);
  for (const { id, index } of told) expect((await stores.log.byId(id))?.index).toBe(BigInt(index));
}
const draftOf = async (workspace: WorkspaceId): Promise<Draft> => ({ epoch: null, session: null, action: null, receipts: await receipts(workspace, 1), events: [] });
/** Whoever comes next appends where the log ends. */
async function goesOn({ stores, workspace }: Log): Promise<void> {
  const size = await soundSize(workspace);
  const outcome = await groupCommit(stores, testCheckpoints(workspace)).submit(await draftOf(workspace));
  expect(outcome).toMatchObject({ state: 'committed', indexes: [BigInt(size)] });
  expect(await soundSize(workspace)).toBe(size + 1);
  expect((await stores.log.latestCheckpoint())?.size).toBe(BigInt(size + 1));
}

test('50 parallel writers in two processes make one unbroken log, every answered receipt in it exactly once', async () => {
  const log = await opened.newWorkspace();
  const { workspace } = log;
  const processes = [1, 2].map(() => startCommitProcess({ url: opened.url, workspace, writers: 25, each: 8 }));
  const told = (await Promise.all(processes.map(({ done }) => done))).flat();
  expect(told).toHaveLength(400);
  expect(await soundSize(workspace)).toBe(400);
  await isAllThere(log, told);
  expect(told.map(({ index }) => Number(index)).sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i));
  await goesOn(log);
}, 60_000);

describe('a process that is killed while it appends leaves a sound log with all that it had answered', () => {
  it.each(commitSteps)('%s', async (step) => {
    const log = await opened.newWorkspace();
    const killed = startCommitProcess({ url: opened.url, workspace: log.workspace, writers: 8, each: 100, dies: { step, batch: 4 } });
    const told = await killed.done;
    expect(killed.process.signalCode).toBe('SIGKILL');
    const size = await soundSize(log.workspace);
    await isAllThere(log, told);
    // Three batches were answered; the one that it died in is there whole or not at all.
    expect(told.length).toBeGreaterThanOrEqual(3);
    if (step.startsWith('after the commit')) expect(size).toBeGreaterThan(told.length);
    await goesOn(log);
  }, 60_000);

  it.each(Array.from({ length: rounds }, (_, n) => n + 1))('at a moment nobody chose, with another process beside it that goes on, time %i', async () => {
    const log = await opened.newWorkspace();
    const { workspace } = log;
    const [victim, other] = [25, 25].map((writers) => startCommitProcess({ url: opened.url, workspace, writers, each: 20 }));
    if (!victim || !other) throw new Error('Two were started.');
    await victim.until(Math.floor(Math.random() * 500));
    victim.process.kill('SIGKILL');
    const told = [...(await victim.done), ...(await other.done)];
    expect((await other.done).length).toBe(500);
    expect(await soundSize(workspace)).toBeGreaterThanOrEqual(told.length);
    await isAllThere(log, told);
    await goesOn(log);
  }, 60_000);
});

describe('a server process that is ended while it serves a commit', () => {
  it('at any moment: what was answered is there, what failed for sure is not, and writers go on', async () => {
    const log = await opened.newWorkspace();
    const { pool } = opened.another();
    const { workspace } = log;
    const own: CommitStores = createStores(pool, workspace);
    let broken = 0;
    const counted: CommitStores['transactor'] = {
      ...own.transactor,
      withHeadAnd: (read, work) =>
        own.transactor.withHeadAnd(read, work).catch((cause: unknown) => {
          broken += 1;
          throw cause;
        }),
    };
    const commits = groupCommit({ ...own, transactor: counted }, testCheckpoints(workspace));
    const [told, refused, unknown]: [Told[], string[], string[]] = [[], [], []];
    const most = 10_000;
    let settled = 0;
    /** Until several ends have come in the middle of a transaction: one that comes between two breaks nothing. */
    const goOn = (): boolean => broken < 6 && settled < most;
    const waiting: (() => void)[] = [];
    const writer = async (): Promise<void> => {
      while (goOn()) {
        const draft = await draftOf(workspace);
        const id = draft.receipts[0]?.id;
        if (!id) throw new Error('A draft has a receipt.');
        await commits.submit(draft).then(
          (outcome) => {
            if (outcome.state === 'committed') told.push({ id, index: String(outcome.indexes[0]) });
          },
          (cause: unknown) => (isCommitUnknown(cause) ? unknown : refused).push(id),
        );
        settled += 1;
        for (const wake of waiting.splice(0)) wake();
      }
    };
    /** Ends whatever serves a transaction just then, each time after some more were written. */
    const ender = async (): Promise<void> => {
      while (goOn()) {
        await opened.pool.query(
          `SELECT pg_terminate_backend("pid") FROM pg_stat_activity
           WHERE "datname" = current_database() AND "pid" <> pg_backend_pid() AND "state" <> 'idle' AND "query" NOT LIKE '%pg_stat_activity%'`,
        );
        if (goOn()) await new Promise<void>((resolve) => waiting.push(resolve));
      }
    };
    await Promise.all([ender(), ...Array.from({ length: 25 }, writer)]);
    expect(settled).toBeLessThan(most);
    await soundSize(workspace);
    await isAllThere(log, told);
    for (const id of refused) expect(await log.stores.log.byId(id as Told['id'])).toBeUndefined();
    expect(told.length + refused.length + unknown.length).toBe(settled);
    await goesOn(log);
  }, 60_000);
});

describe('a batch whose COMMIT nobody answered', () => {
  it.each([['although it was durable', 'after', 3], ['and it was lost', 'before', 0]] as const)(
    'is not known to any of its writers, and is not tried again, %s',
    async (_which, when, there) => {
      const log = await opened.newWorkspace();
      const proxy = await cutAtCommit(opened.url, 'write_head');
      const pool = createPool({ url: proxy.url, max: 2, onIdleError: () => undefined });
      const commits = groupCommit(createStores(pool, log.workspace), testCheckpoints(log.workspace));
      const drafts = await Promise.all([1, 2, 3].map(() => draftOf(log.workspace)));
      proxy.cut(when);
      const results = await Promise.allSettled(drafts.map((draft) => commits.submit(draft)));
      proxy.cut('never');
      expect(results.map((result) => result.status === 'rejected' && isCommitUnknown(result.reason))).toEqual([true, true, true]);
      expect(await soundSize(log.workspace)).toBe(there);
      await goesOn(log);
      await pool.end();
      await proxy.close();
    },
  );
});

describe('a checkpoint that cannot be signed', () => {
  it('takes its receipts with it, and the next batch goes on', async () => {
    const log = await opened.newWorkspace();
    let broken = true;
    const signs = testCheckpoints(log.workspace);
    const commits = groupCommit(log.stores, async (size, root) => {
      if (broken) throw new Error('The key is gone.');
      return await signs(size, root);
    });
    const drafts = await Promise.all([1, 2, 3].map(() => draftOf(log.workspace)));
    const results = await Promise.allSettled(drafts.map((draft) => commits.submit(draft)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await soundSize(log.workspace)).toBe(0);
    broken = false;
    await Promise.all(drafts.map((draft) => commits.submit(draft)));
    expect(await soundSize(log.workspace)).toBe(3);
    await goesOn(log);
  });
});

describe('a draft that cannot be written', () => {
  it('does not take its neighbours with it', async () => {
    const log = await opened.newWorkspace();
    const commits = groupCommit(log.stores, testCheckpoints(log.workspace));
    const [one, bad, other] = await Promise.all([1, 2, 3].map(() => draftOf(log.workspace)));
    if (!one || !bad || !other) throw new Error('Three were made.');
    const spoilt: Draft = { ...bad, receipts: bad.receipts.map((receipt) => ({ ...receipt, envelope: 'not \u0000 text' })) };
    const results = await Promise.allSettled([one, spoilt, other].map((draft) => commits.submit(draft)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await soundSize(log.workspace)).toBe(2);
  });
});
