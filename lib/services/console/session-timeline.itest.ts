import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sessionTimelineQuery, type SessionTimelineView, type TimelineItem } from '@/lib/contracts/console/session-timeline';
import { erasedText } from '@/lib/ports/erasure-store';
import { randomIds } from '@/lib/server/random-ids';
import type { SessionId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { aDigest, aReceipt, aSession } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import type { ConsoleParts } from './console-parts';
import { sessionTimeline } from './views/session-timeline';

let database: TestStores;
let stateDirectory: string;
let parts: ConsoleParts;
let close: () => Promise<void>;
let session: SessionId;

const second = (n: number): string => new Date(Date.UTC(2026, 2, 1, 10, 0, n)).toISOString();
/** Steps at even seconds; a receipt at each, and others' receipts between. */
const steps = 30;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-timeline-'));
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory }));
  session = randomIds().make('session');
  await parts.transactor.withHead(async (tx) => {
    await parts.sessions.insert(tx, aSession({ id: session, seq: steps, opened_at: second(0) }));
    await parts.sessions.addEntries(tx, Array.from({ length: steps }, (_, n) => ({
      session, seq: n + 1, hash: aDigest(`step ${String(n)}`), entry: { kind: 'request' as const, at: second(2 * n), text: `Step ${String(n + 1)}`, assurance: 'orchestrator' as const },
    })));
    for (let n = 0; n < steps; n++) {
      await parts.ledger.append(tx, [await aReceipt(parts.workspace, { session, at: second(2 * n) }), await aReceipt(parts.workspace, { at: second(2 * n + 1) })]);
    }
  });
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

const page = async (query: object): Promise<SessionTimelineView> => valueOf(await sessionTimeline(parts, sessionTimelineQuery.parse({ id: session, ...query })));
const told = (item: TimelineItem): string => (item.of === 'receipt' ? `receipt ${String(item.row.index)}` : `step ${String(item.seq)}`);
const whole = Array.from({ length: steps }, (_, n) => [`step ${String(n + 1)}`, `receipt ${String(2 * n)}`]).flat();

describe('the session around a receipt', () => {
  it.each([0, 20, 2 * steps - 2])('is its whole history in order, each step and receipt once, from the receipt at %i on in both directions', async (around) => {
    const first = await page({ around, limit: 7 });
    expect(first.items.map(told)).toContain(`receipt ${String(around)}`);
    const items = first.items.map(told);
    for (let { older } = first; older !== null;) {
      const next = await page({ older, limit: 7 });
      items.unshift(...next.items.map(told));
      older = next.older;
    }
    for (let { newer } = first; newer !== null;) {
      const next = await page({ newer, limit: 7 });
      items.push(...next.items.map(told));
      newer = next.newer;
    }
    expect(items).toEqual(whole);
  });

  it('begins where the session does and ends where it has come to', async () => {
    expect(await page({ around: 0, limit: 100 })).toMatchObject({ older: null, newer: expect.any(String) });
    expect(await page({ around: 2 * steps - 2, limit: 100 })).toMatchObject({ older: null, newer: null });
  });

  it('names an erased step, and keeps its place among the steps', async () => {
    await database.pool.query('ALTER TABLE "context_entries" DISABLE TRIGGER USER');
    await database.pool.query(`UPDATE "context_entries" SET "body" = $2 WHERE "session_id" = $1 AND "seq" = 5`, [session, erasedText]);
    const { items } = await page({ around: 10, limit: 100 });
    expect(items.filter(({ of }) => of === 'context').map(told).slice(0, 7)).toEqual(whole.filter((one) => one.startsWith('step')).slice(0, 7));
    expect(items.find((item) => item.of === 'context' && item.seq === 5)).toMatchObject({ kind: 'erased', text: null });
  });

  it.each([{}, { around: 1, older: '1.1' }, { older: 'x' }, { newer: '1' }, { around: -1 }])('refuses to go on from %j', (query) => {
    expect(sessionTimelineQuery.safeParse({ id: session, ...query }).success).toBe(false);
  });

  it('is not found for a session that is none', async () => {
    expect(await sessionTimeline(parts, sessionTimelineQuery.parse({ id: randomIds().make('session'), around: 0 }))).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});
