import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { isClockSteppedBack, isCommitUnknown } from '@/lib/ports/store-faults';
import type { Tx } from '@/lib/ports/transaction';
import { cutAtCommit, type CuttingProxy } from '@/lib/testing/cut-at-commit';
import { aDigest, aSession, receipts } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { createStores } from './create-stores';
import { fsck } from './fsck';
import { transactionOf } from './open-transaction';
import { createPool } from './pool';

let opened: TestStores;
const atEnd: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  opened = await openTestStores();
});

afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end();
  await opened.close();
});

const sound = async (size: number): Promise<void> => {
  expect(await fsck(opened.pool, opened.workspace)).toMatchObject({ ok: true, size: BigInt(size) });
};

describe('many writers', () => {
  test('two pools that race append one unbroken log, each receipt once', async () => {
    const stores = [opened.stores, opened.another().stores];
    // Few at once: a pool lets nobody wait for a connection for more than some seconds, which 100 in a row can take on a busy machine.
    const indexes = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const mine = stores[i % 2] ?? opened.stores;
        const placed: bigint[] = [];
        for (let n = 0; n < 10; n++) {
          const batch = await receipts(opened.workspace, 1);
          placed.push(...(await mine.transactor.withHead((tx) => mine.ledger.append(tx, batch))));
        }
        return placed;
      }),
    );
    expect(indexes.flat().map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    await sound(200);
  });

  test('two processes that race append one unbroken log', async () => {
    const children = [appendProcess(100), appendProcess(100)];
    const told = await Promise.all(children.map(({ done }) => done));
    expect(new Set(told.flat().map(({ index }) => index)).size).toBe(200);
    await sound(200);
  });

  test('a process killed while it appends loses nothing that it had answered, and leaves a sound log', async () => {
    const child = appendProcess(100_000);
    await child.until(30);
    child.process.kill('SIGKILL');
    const told = await child.done;
    const { size } = await opened.stores.log.head();
    await sound(Number(size));
    for (const { id, index } of told) expect((await opened.stores.log.byId(id))?.index).toBe(index);
    const [next] = await opened.stores.transactor.withHead(async (tx) => opened.stores.ledger.append(tx, await receipts(opened.workspace, 1)));
    expect(next).toBeGreaterThanOrEqual(size);
  });
});

describe('a connection that breaks', () => {
  const kill = async (tx: Tx): Promise<void> => {
    const { rows } = await transactionOf(tx).client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await opened.pool.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
  };

  test.each(['once the head is locked', 'after the receipts', 'after the checkpoint', 'after the session', 'at the very end'])(
    'leaves nothing of the transaction and a sound log: %s',
    async (step) => {
      const { stores } = opened.another();
      const session = aSession();
      const kept = await receipts(opened.workspace, 300);
      await stores.transactor.withHead((tx) => stores.ledger.append(tx, kept.slice(0, 200)));
      const work = (breakAt: string | null) =>
        stores.transactor.withHead(async (tx) => {
          const at = async (now: string) => {
            if (breakAt === now) await kill(tx);
          };
          await at('once the head is locked');
          await stores.ledger.append(tx, kept.slice(200));
          await at('after the receipts');
          await stores.ledger.addCheckpoint(tx, 300n, 'never read');
          await at('after the checkpoint');
          await stores.sessions.insert(tx, session);
          await at('after the session');
          await stores.sessions.moveHeads(tx, [{ session: session.id, from: session.head, to: aDigest('next'), seq: 1, at: session.opened_at }]);
          await at('at the very end');
        });
      await expect(work(step)).rejects.toThrow();
      await sound(200);
      expect(await stores.sessions.find([session.id])).toEqual(new Map());
      expect(await stores.log.latestCheckpoint()).toBeUndefined();
      await work(null);
      expect((await stores.log.head()).size).toBe(300n);
    },
  );

  test('while committing is reported as not known, whichever way it went', async () => {
    const proxy = await proxied();
    const pool = createPool({ url: proxy.url, max: 2, onIdleError: () => undefined });
    atEnd.push(() => pool.end());
    const stores = createStores(pool, opened.workspace);
    const append = async () => {
      const batch = await receipts(opened.workspace, 1);
      return stores.transactor.withHead((tx) => stores.ledger.append(tx, batch));
    };
    expect(await append()).toEqual([0n]);
    proxy.cut('before');
    expect(isCommitUnknown(await append().catch((error: unknown) => error))).toBe(true);
    proxy.cut('after');
    expect(isCommitUnknown(await append().catch((error: unknown) => error))).toBe(true);
    proxy.cut('never');
    // The first was lost, the second was durable; the caller could not have told them apart.
    expect(await append()).toEqual([2n]);
    await sound(3);
  });

  async function proxied(): Promise<CuttingProxy> {
    const proxy = await cutAtCommit(opened.url, 'write_head');
    atEnd.push(() => proxy.close());
    return proxy;
  }
});

describe('what a transaction refuses', () => {
  test('an error of a statement that the work dropped: nothing is committed and the caller learns it', async () => {
    const { transactor, ledger, log } = opened.stores;
    const batch = await receipts(opened.workspace, 1);
    const work = transactor.withHead(async (tx) => {
      await ledger.append(tx, batch);
      await expect(transactionOf(tx).client.query('SELECT 1/0')).rejects.toThrow();
    });
    await expect(work).rejects.toThrow();
    expect((await log.head()).size).toBe(0n);
  });

  test('a clock over two seconds behind the log denies, and a smaller step holds the log’s time', async () => {
    const { transactor } = opened.stores;
    const setTime = (ahead: string) =>
      opened.pool.query<{ at: Date }>(`UPDATE "ledger_heads" SET "logged_at" = clock_timestamp() + $1::interval RETURNING "logged_at" AS at`, [ahead]);
    const held = (await setTime('1 second')).rows[0]?.at.toISOString();
    const { now, epoch } = await transactor.withHead(async (tx, head) => ({ now: head.now, epoch: await transactor.raiseEpoch(tx) }));
    expect({ now, epoch }).toEqual({ now: held, epoch: 1n });
    await setTime('1 hour');
    expect(isClockSteppedBack(await transactor.withHead(async () => 'ran').catch((error: unknown) => error))).toBe(true);
  });

  test('waiting for the head for ever', async () => {
    const hasty = createPool({ url: opened.url, lockTimeoutMs: 50, onIdleError: () => undefined });
    atEnd.push(() => hasty.end());
    const impatient = createStores(hasty, opened.workspace);
    await opened.stores.transactor.withHead(async () => {
      await expect(impatient.transactor.withHead(async () => 'ran')).rejects.toMatchObject({ code: '55P03' });
    });
    expect(await impatient.transactor.withHead(async () => 'ran')).toBe('ran');
  });

  test('a damaged head, which appending would fork', async () => {
    await opened.pool.query(`UPDATE "ledger_heads" SET "size" = 5`);
    await expect(opened.stores.transactor.withHead(async () => 'ran')).rejects.toThrow('damaged');
  });

  test('an unknown workspace', async () => {
    await opened.pool.query(`DELETE FROM "ledger_heads"`);
    await expect(opened.stores.transactor.withHead(async () => 'ran')).rejects.toThrow('no workspace');
  });
});

test('every connection comes back to the pool, however the transaction ended', async () => {
  const { transactor } = opened.stores;
  for (let i = 0; i < 20; i++) await transactor.withHead(() => Promise.reject(new Error('no'))).catch(() => undefined);
  await transactor.withHead(async () => undefined);
  expect(opened.pool.idleCount).toBe(opened.pool.totalCount);
  expect(opened.pool.totalCount).toBe(1);
});

type Told = { readonly id: Parameters<TestStores['stores']['log']['byId']>[0]; readonly index: bigint };

function appendProcess(count: number): { readonly process: ChildProcess; readonly done: Promise<readonly Told[]>; readonly until: (told: number) => Promise<void> } {
  const file = path.resolve(import.meta.dirname, '../testing/append-process.ts');
  const child = fork(file, [opened.url, opened.workspace, String(count)], { execArgv: ['--import', 'tsx'] });
  const told: Told[] = [];
  const waiting: (() => void)[] = [];
  child.on('message', (message: { readonly id: Told['id']; readonly index: string }) => {
    told.push({ id: message.id, index: BigInt(message.index) });
    for (const wake of waiting.splice(0)) wake();
  });
  const done = new Promise<readonly Told[]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => (code === 0 || signal === 'SIGKILL' ? resolve(told) : reject(new Error(`The process ended with ${String(code)}.`))));
  });
  const until = async (enough: number) => {
    while (told.length < enough) await Promise.race([done, new Promise<void>((resolve) => waiting.push(resolve))]);
  };
  return { process: child, done, until };
}
