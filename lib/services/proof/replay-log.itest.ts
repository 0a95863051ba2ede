import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import type { Stores } from '@/lib/db/create-stores';
import type { ReplayReport } from '@/lib/policy/replay-report';
import { nodeBase64Text } from '@/lib/server/node-base64';
import { nodeSha256OfText } from '@/lib/server/node-sha256';
import { toldPolicy } from '@/lib/testing/ledger-harness/told-policy';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { policyFrom } from '@/lib/testing/engine-fixtures';
import { tellLedger } from '@/lib/testing/ledger-harness/tell-ledger';
import type { ToldLedger } from '@/lib/testing/ledger-harness/teller';
import { writeTold } from '@/lib/testing/ledger-harness/write-told';
import { nodeSha256 as sha256 } from '@/lib/testing/node-crypto';
import { testWorkspace } from '@/lib/testing/ledger-builder';

import { replayLog, type ReplayRange } from './replay-log';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let told: ToldLedger;
let stores: Stores;
let range: ReplayRange;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.url, max: 4, onIdleError: () => undefined });
  told = await tellLedger('replay', testWorkspace);
  stores = await writeTold(pool, told);
  const { size, root } = await stores.log.head();
  range = { from: 0, to: Number(size), since: '2026-01-01T00:00:00.000Z', root, leftOut: 0 };
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const from = (text: string) => policyFrom(text);
const base = from(toldPolicy);
const parts = () => ({ log: stores.log, content: stores.content, sha256, sha256OfText: nodeSha256OfText, text: nodeBase64Text });

async function replayed(proposed: string, changes: Partial<ReplayRange> = {}): Promise<ReplayReport> {
  const result = await replayLog(parts(), { ...range, ...changes }, { base, proposed: from(proposed) });
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
}

const decisions = () => told.events.filter(({ kind }) => kind === 'action_decided');
const counted = ({ transitions }: ReplayReport) => Object.fromEntries(transitions.map(({ now, then, count }) => [`${now} ${then}`, count]));

describe('replay of a told log', () => {
  it('changes nothing under the policy in force, and takes every decision again', async () => {
    const report = await replayed(toldPolicy);
    expect(report).toMatchObject({ receipts: told.events.length, decisions: decisions().length, replayed: decisions().length, changed: 0, newly_allowed: 0, newly_stopped: 0, not_replayed: [], other_terms: 0 });
    const recorded: Record<string, number> = {};
    for (const { predicate } of decisions()) {
      const same = `${String(predicate['decision'])} ${String(predicate['decision'])}`;
      recorded[same] = (recorded[same] ?? 0) + 1;
    }
    expect(counted(report)).toEqual(recorded);
  });

  it('tells what would be stopped, with its receipts', async () => {
    const report = await replayed(toldPolicy.replace('id: allow-notes\n    match: { tool: notes, operation: write }\n    action: ALLOW', 'id: allow-notes\n    match: { tool: notes, operation: write }\n    action: DENY'));
    const notes = decisions().filter(({ predicate }) => predicate['tool'] === 'notes' && predicate['decision'] === 'ALLOW');
    expect(notes.length).toBeGreaterThan(1);
    expect(counted(report)).toMatchObject({ 'ALLOW DENY': notes.length });
    expect(report).toMatchObject({ newly_stopped: notes.length, newly_allowed: 0, changed: notes.length });
    expect(report.listed.map(({ receipt }) => receipt)).toEqual(notes.map(({ predicate }) => predicate.receipt).toReversed());
  });

  it('puts first what was denied and would run, and keeps apart what people said of what was held', async () => {
    const report = await replayed(
      toldPolicy
        .replace('operation: drop }\n    action: DENY\n    classification: forbidden', 'operation: drop }\n    action: ALLOW\n    classification: static')
        .replace(/(id: confirm-writes\n.*\n {4}action: )STEP_UP\n {4}escalate: .*/, '$1ALLOW'),
    );
    expect(report.listed[0]).toMatchObject({ tool: 'database', operation: 'drop', now: 'DENY', then: 'ALLOW', recorded: 'DENY' });
    const held = report.listed.filter(({ tool }) => tool === 'files');
    const ends = told.events.filter(({ kind }) => kind === 'approval_resolved');
    expect(held.length).toBeGreaterThan(2);
    for (const row of held) {
      const event = decisions().find(({ predicate }) => predicate.receipt === row.receipt);
      // An action that people were asked about more than once has as many ends.
      const [one, ...more] = ends.filter(({ predicate }) => JSON.stringify(predicate['action']) === JSON.stringify(event?.predicate['action']));
      const end = more.length === 0 ? one?.predicate['state'] : undefined;
      expect(row).toMatchObject({ now: 'STEP_UP', then: 'ALLOW', people: end === 'approved' || end === 'denied' ? end : row.people });
    }
    const said = (people: string) => held.filter((row) => row.people === people).length;
    expect(said('denied')).toBeGreaterThan(0);
    expect(report.unattended).toMatchObject({ approved: said('approved'), denied: said('denied') });
    // What a person denied comes before what one approved.
    expect(held.findLastIndex(({ people }) => people === 'denied')).toBeLessThan(held.findIndex(({ people }) => people === 'approved'));
  });

  it('counts the same decision on other terms apart', async () => {
    const report = await replayed(toldPolicy.replace('to: 10 }', 'to: 5 }'));
    expect(report).toMatchObject({ newly_allowed: 0, newly_stopped: 0, other_terms: 1, changed: 1 });
    expect(report.listed).toMatchObject([{ now: 'MODIFY', then: 'MODIFY', tool: 'database', operation: 'update' }]);
  });

  it('names what it could not take again: what was erased, and what no snapshot shows one by one', async () => {
    const client = await pool.connect();
    try {
      const [first] = decisions();
      await client.query('BEGIN');
      await client.query('DELETE FROM contents WHERE workspace_id = $1 AND digest = $2', [testWorkspace, first?.predicate['snapshot_digest']]);
      await client.query('COMMIT');
      const report = await replayed(toldPolicy);
      expect(report).toMatchObject({ replayed: decisions().length - 1, not_replayed: [{ why: 'erased', count: 1, receipts: [first?.predicate.receipt] }] });
    } finally {
      client.release();
    }
  });

  it('refuses a log that is not the one that the checkpoint covers', async () => {
    const other = { ...range, root: new Uint8Array(32) };
    expect(await replayLog(parts(), other, { base, proposed: base })).toMatchObject({ ok: false, error: { code: 'ledger_broken' } });
    const rows = await stores.log.range(0n, BigInt(range.to), range.to);
    const at = rows.findIndex(({ kind }) => kind === 'action_decided');
    const hidden = { ...stores.log, leaves: async (a: bigint, b: bigint, limit: number) => (await stores.log.leaves(a, b, limit)).map((row) => (row.index === BigInt(at) ? { ...row, envelope: rows[at + 1]?.envelope ?? '' } : row)) };
    expect(await replayLog({ ...parts(), log: hidden }, range, { base, proposed: base })).toMatchObject({ ok: false, error: { code: 'ledger_broken' } });
  });

  it('takes a part of the log by itself, and is the same in two halves', async () => {
    const half = Math.floor(range.to / 2);
    const covering = await stores.log.checkpointCovering(BigInt(half));
    if (!covering) throw new Error('Nothing covers the first half.');
    const [, , root = ''] = covering.note.split('\n');
    const to = Number(covering.size);
    const first = await replayed(toldPolicy, { to, root: Buffer.from(root, 'base64') });
    const second = await replayed(toldPolicy, { from: to });
    expect(first.decisions + second.decisions).toBe(decisions().length);
    expect(second.receipts).toBe(range.to - to);
  });
});
