import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { reconciliationQuery, type ReconciliationItem, type ReconciliationList } from '@/lib/contracts/console/reconciliation';
import type { ActionRow } from '@/lib/ports/action-store';
import { randomIds } from '@/lib/server/random-ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { anAction, aPermit, aReceipt, farOff } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { ConsoleParts } from './console-parts';
import { gapsView } from './views/gaps-view';
import { reconciliationCounts, reconciliationView } from './views/reconciliation-view';

let database: TestStores;
let stateDirectory: string;
let parts: ConsoleParts;
let close: () => Promise<void>;
const ids = randomIds();

const minute = (n: number): string => new Date(Date.UTC(2026, 2, 1, 10, n)).toISOString();
const add = async (...rows: readonly Partial<ActionRow>[]): Promise<void> => {
  await parts.transactor.withHead(async (tx) => { await parts.actions.insert(tx, rows.map(anAction)); });
};
/** The whole list, two at a time. */
async function listed(list: ReconciliationList): Promise<readonly ReconciliationItem[]> {
  const items: ReconciliationItem[] = [];
  let after: string | undefined;
  do {
    const page = valueOf(await reconciliationView(parts, { list, limit: 2, ...(after === undefined ? {} : { after }) }));
    items.push(...page.items);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return items;
}

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-reconciliation-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
  const permitted = { decision: 'ALLOW', permit: aPermit(farOff) } as const;
  await add(
    // Several of one moment, so that a page can end between them.
    ...[1, 2, 2, 2, 3].map((n) => ({ ...permitted, permit: aPermit(farOff), state: 'redeemed' as const, redeemed_at: minute(n), changed_at: minute(n), outcome_due_at: n === 3 ? farOff : minute(n + 5) })),
    { ...permitted, state: 'unknown', redeemed_at: minute(4), changed_at: minute(9), outcome_at: minute(9) },
    { ...permitted, permit: aPermit(minute(8)), state: 'expired', changed_at: minute(8), tool: 'files', operation: 'write' },
  );
  await add(
    { state: 'expired', changed_at: minute(9) },
    { ...permitted, permit: aPermit(farOff), state: 'permitted' },
    { ...permitted, permit: aPermit(farOff), state: 'succeeded', redeemed_at: minute(1), outcome_at: minute(2) },
    { state: 'held' },
  );
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

describe('reconciliation', () => {
  it('lists each run without an outcome once, latest first, and says which are overdue', async () => {
    const items = await listed('outcome_missing');
    expect(items.map(({ at, overdue }) => [at, overdue])).toEqual([[minute(3), false], [minute(2), true], [minute(2), true], [minute(2), true], [minute(1), true]]);
    expect(new Set(items.map(({ action }) => action)).size).toBe(5);
  });

  it('lists outcomes that nobody knows and permits that ran out, not requests that did', async () => {
    expect((await listed('outcome_unknown')).map(({ at }) => at)).toEqual([minute(9)]);
    expect((await listed('permit_unused')).map(({ tool, operation, at }) => [tool, operation, at])).toEqual([['files', 'write', minute(8)]]);
  });

  it('counts what it lists', async () => {
    expect(await reconciliationCounts(parts)).toEqual({
      outcome_missing: { value: 5, about: false }, outcome_unknown: { value: 1, about: false }, permit_unused: { value: 1, about: false }, redemption_refused: { value: 0, about: false },
    });
    expect(await parts.reconciliation.countOpenEnds('outcome_missing', 2)).toMatchObject({ about: true });
  });

  it('lists refused redemptions with their code', async () => {
    const action = { id: ids.make('action'), digest: 'a'.repeat(64) as never };
    await parts.transactor.withHead(async (tx, { now }) => {
      const refused = await parts.sign('permit_refused', now, { permit: ids.make('permit'), action, code: 'permit_used', by: { kind: 'enforcement_point', id: 'runner' } }, { action: action.id, agent: 'clerk', tool: 'mail', operation: 'send' });
      await parts.ledger.append(tx, [refused, await aReceipt(parts.workspace)]);
    });
    expect(await listed('redemption_refused')).toMatchObject([{ action: action.id, code: 'permit_used', agent: 'clerk', index: 0 }]);
  });

  it.each(['yesterday', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z ses_0123456789abcdefghij', '2026-03-01T10:00:00.000Z act_0123456789abcdefghij more', '-1', '17'])(
    'refuses "%s" as the end of a page', async (after) => {
      expect(await reconciliationView(parts, { list: 'outcome_missing', limit: 2, after })).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    },
  );

  it('knows no other list', () => {
    expect(reconciliationQuery.safeParse({ list: 'denied' }).success).toBe(false);
    expect(reconciliationQuery.safeParse({ list: 'outcome_missing', limit: 1_000 }).success).toBe(false);
  });
});

describe('gaps in the log', () => {
  it('are the positions that no row holds, at both ends too', async () => {
    await parts.transactor.withHead(async (tx) => { await parts.ledger.append(tx, await Promise.all(Array.from({ length: 8 }, () => aReceipt(parts.workspace)))); });
    expect(valueOf(await gapsView(parts, 0))).toEqual({ from: 0, to: 10, size: 10, gaps: [], next: null });
    // What the database itself refuses: somebody who owns it took rows away.
    await database.pool.query('ALTER TABLE "receipts" DISABLE TRIGGER USER');
    await database.pool.query('DELETE FROM "receipts" WHERE "index" IN (0, 3, 4, 9)');
    expect(valueOf(await gapsView(parts, 0))).toEqual({ from: 0, to: 10, size: 10, gaps: [{ from: 0, to: 0 }, { from: 3, to: 4 }, { from: 9, to: 9 }], next: null });
    expect(valueOf(await gapsView(parts, 4))).toMatchObject({ gaps: [{ from: 4, to: 4 }, { from: 9, to: 9 }] });
    expect(await parts.reconciliation.gaps(0n, 10n, 1)).toEqual([{ from: 0n, to: 0n }]);
    expect(valueOf(await gapsView(parts, 50))).toEqual({ from: 10, to: 10, size: 10, gaps: [], next: null });
  });
});
