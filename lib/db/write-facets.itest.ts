import { afterAll, beforeAll, expect, test } from 'vitest';

import { aReceipt } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { fsck } from './fsck';

let opened: TestStores;

beforeAll(async () => {
  opened = await openTestStores();
});

afterAll(() => opened.close());

/** One batch or more in one transaction, each of one receipt of a tool; it is undone when told so. */
async function append(tools: readonly string[], undo = false): Promise<void> {
  const { stores, workspace } = opened;
  const receipts = await Promise.all(tools.map((tool) => aReceipt(workspace, { tool })));
  const appending = stores.transactor.withHead(async (tx) => {
    for (const receipt of receipts) await stores.ledger.append(tx, [receipt]);
    if (undo) throw new Error('undone');
  });
  await (undo ? expect(appending).rejects.toThrow('undone') : appending);
}

test('whatever was undone before, every receipt is found by what it is', async () => {
  await append(['mail', 'mail'], true);
  await append(['mail', 'files', 'mail'], true);
  await append(['mail', 'mail']);
  for (let time = 0; time < 3; time++) await append(['mail', 'files']);
  await append(['notes', 'notes'], true);
  await append(['notes']);
  for (const [tool, count] of [['mail', 5], ['files', 3], ['notes', 1]] as const) {
    expect((await opened.stores.log.search({ tool }, { limit: 10 })).rows, tool).toHaveLength(count);
  }
  expect(await fsck(opened.pool, opened.workspace)).toMatchObject({ ok: true });
});
