import { expect, test } from 'vitest';

import type { Transactor, Tx } from '@/lib/ports/transaction';

/** What every transactor promises. Each test gets a workspace whose epoch is 0. */
export function transactorConformance(open: () => Transactor): void {
  test('a raised epoch is seen by the next transaction, and not when it was rolled back', async () => {
    const transactor = open();
    expect(await transactor.withHead(async (tx, head) => [head.epoch, await transactor.raiseEpoch(tx)])).toEqual([0n, 1n]);
    await expect(
      transactor.withHead(async (tx) => {
        await transactor.raiseEpoch(tx);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await transactor.withHead(async (_tx, head) => head.epoch)).toBe(1n);
  });

  test('time under the lock never goes back from one transaction to the next', async () => {
    const transactor = open();
    const times: string[] = [];
    for (let i = 0; i < 5; i++) times.push(await transactor.withHead(async (tx, { now }) => (await transactor.raiseEpoch(tx), now)));
    expect(times).toEqual(times.toSorted());
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('two transactions never hold the head at once', async () => {
    const transactor = open();
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 5 }, () =>
        transactor.withHead(async (tx) => {
          most = Math.max(most, ++inside);
          await transactor.raiseEpoch(tx);
          await new Promise(setImmediate);
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(await transactor.withHead(async (_tx, { epoch }) => epoch)).toBe(5n);
  });

  test('a handle that outlives its transaction is refused', async () => {
    const transactor = open();
    let kept: Tx | undefined;
    await transactor.withHead(async (tx) => {
      kept = tx;
    });
    if (!kept) throw new Error('no handle');
    await expect(transactor.raiseEpoch(kept)).rejects.toThrow('ended');
  });

  test('what the work returns or throws is what the caller gets', async () => {
    const transactor = open();
    const fault = new Error('mine');
    expect(await transactor.withHead(async () => 'value')).toBe('value');
    await expect(transactor.withHead(() => Promise.reject(fault))).rejects.toBe(fault);
  });
}
