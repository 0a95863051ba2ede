import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Pin } from '@/lib/authority/pins';
import { createStores } from '@/lib/db/create-stores';
import { ContentChecks } from '@/lib/db/fsck-contents';
import type { ReadRow } from '@/lib/db/log-rebuild';
import { fsck, type FsckReport } from '@/lib/db/fsck';
import { readStatement } from '@/lib/ledger/statement';
import { parseEnvelope } from '@/lib/shared/dsse';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { authorityInForce } from '@/lib/services/authority-in-force';
import { memoryOfTightened } from '@/lib/services/tightened/memory-of-tightened';
import { exportBundle } from '@/lib/services/export-bundle';
import type { Result } from '@/lib/shared/result';
import { fromHex } from '@/lib/shared/encoding';
import { ok } from '@/lib/shared/result';

import { testWorkspace } from '../ledger-builder';
import { nodeSha256 as sha256, nodeVerifySignature as verify } from '../node-crypto';
import { openTestStores, type TestStores } from '../test-stores';
import { second } from './cast';
import { tamperedAuthority } from './tamper-authority';
import { tamperedPasskeys } from './tamper-passkeys';
import { tamperedDecisions } from './tamper-decisions';
import { tamperedLifeCycles } from './tamper-life-cycle';
import { tamperedRestores } from './tamper-restores';
import { tamperedRows } from './tamper-rows';
import { tamperedEvidence } from './tamper-shown';
import { indexOf, type Surfaces, type Tampering } from './tampering';
import { expectFound, pinOf, verifyTold } from './tampering-surfaces';
import type { ToldLedger } from './teller';
import { tellLedger } from './tell-ledger';
import { writeTold } from './write-told';

let opened: TestStores;
let told: ToldLedger;
let pin: Pin;
/** What the process had read of the log when it served it. */
const memory = memoryOfTightened();
let tables: readonly string[];

beforeAll(async () => {
  opened = await openTestStores();
  told = await tellLedger('tampering', testWorkspace);
  await writeTold(opened.pool, told);
  pin = await pinOf(told);
  await authorityInForce({ ...createStores(opened.pool, told.cast.workspace), pins: { read: () => Promise.resolve(ok(pin)), write: () => Promise.resolve() }, cryptography: { sha256, verify }, compile: compilePolicyText, tightened: memory }).refresh();
  const found = await opened.pool.query<{ name: string }>(`SELECT c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations' ORDER BY 1`);
  // Facets are never deleted: connections remember which are there.
  tables = found.rows.map(({ name }) => name).filter((name) => name !== 'receipt_facets');
  await opened.pool.query('CREATE SCHEMA kept');
  for (const table of tables) await opened.pool.query(`CREATE TABLE kept."${table}" AS TABLE public."${table}"`);
}, 120_000);

afterAll(() => opened.close());

/** Does it to the database past triggers and constraints, asks every surface, and puts everything back. */
async function inDatabase(tampering: Tampering, ask: (told: ToldLedger) => Promise<void>): Promise<void> {
  const client = await opened.pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await ask(await damaged(tampering, client));
  } finally {
    await emptied(client);
    await client.query(tables.map((table) => `INSERT INTO public."${table}" SELECT * FROM kept."${table}"`).join(';'));
    client.release(true);
  }
}

const emptied = (client: pg.PoolClient) => client.query(tables.map((table) => `DELETE FROM public."${table}"`).join(';'));

async function damaged(tampering: Tampering, client: pg.PoolClient): Promise<ToldLedger> {
  if ('rows' in tampering) {
    await tampering.rows(client, told);
    return told;
  }
  if (!('history' in tampering)) throw new Error('A file is no database.');
  const tampered = await tampering.history(told);
  await emptied(client);
  await writeTold(opened.pool, tampered);
  return tampered;
}

const workspace = () => told.cast.workspace;
const checked = (pins: readonly Pin[] = []): Promise<FsckReport> =>
  fsck(opened.pool, workspace(), pins.flatMap(({ log }) => (log ? [{ size: BigInt(log.size), root: fromHex(log.root) ?? new Uint8Array() }] : [])));

/** What `countersign fsck` checks beside the log, as far as the told log has it: contents (it has no rows of sessions and actions). */
async function contentsChecked(): Promise<FsckReport> {
  const stores = createStores(opened.pool, workspace());
  const client = await opened.pool.connect();
  try {
    const checks = new ContentChecks(client, workspace());
    const { size, root } = await stores.log.head();
    await checks.check((await stores.log.range(0n, size, 10_000)).flatMap((row): ReadRow[] => {
      const envelope = parseEnvelope(row.envelope);
      const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
      return body.ok ? [{ row, body: body.value }] : [];
    }));
    const found = await checks.end(Number(size));
    return found ? { ok: false, fault: found } : { ok: true, size, root };
  } finally {
    client.release();
  }
}

/** What a process says that starts with the pin of what it served last. */
async function started(): Promise<{ readonly denied: string | null; readonly detail: string }> {
  const stores = createStores(opened.pool, workspace());
  const pins = { read: (): Promise<Result<Pin | undefined>> => Promise.resolve(ok(pin)), write: () => Promise.resolve() };
  const { denied, refusal } = await authorityInForce({ ...stores, pins, cryptography: { sha256, verify }, compile: compilePolicyText, tightened: { ...memory, keep: () => Promise.resolve() } }).refresh();
  return { denied, detail: refusal?.detail ?? '' };
}

function exported() {
  const stores = createStores(opened.pool, workspace());
  return exportBundle({ ...stores, workspace: workspace(), sha256, signer: told.cast.keys.console.signer, productVersion: 'test' }, { withhold: false, now: second(100_000) });
}

function expectFsck(report: FsckReport, found: Surfaces['fsck'], tampered: ToldLedger): void {
  if ('unseen' in found) return void expect(report.ok ? '' : report.fault.detail).toBe('');
  const position = found.at === 'end' ? told.events.length : typeof found.at === 'string' ? indexOf(tampered, found.at) : found.at;
  expect(report.ok ? 'nothing found' : report.fault).toMatchObject({ what: found.what, ...(position === undefined ? {} : { position: BigInt(position) }) });
}

async function expectPins(found: Surfaces['pins']): Promise<void> {
  if ('fails' in found) return void (await expect(started()).rejects.toThrow(found.fails));
  const start = await started();
  if ('unseen' in found) return void expect(start).toEqual({ denied: null, detail: '' });
  expect(start.denied).toBe(found.denied);
  expect(start.detail).toContain(found.says);
}

async function expectVerified({ verify: found, known }: Surfaces, tampered: ToldLedger): Promise<void> {
  const bundle = await exported();
  if (typeof found === 'object' && 'refused' in found) return void expect(bundle.ok ? 'exported' : bundle.error.code).toBe(found.refused);
  if (!bundle.ok) throw new Error(bundle.error.detail);
  expectFound(await verifyTold(bundle.value.bytes, told), found, tampered);
  if (!known || !pin.log) return;
  const head = { size: pin.log.size, root: fromHex(pin.log.root) ?? new Uint8Array() };
  expectFound(await verifyTold(bundle.value.bytes, told, [head]), known, tampered);
}

describe('a database that was tampered with', () => {
  it('untouched passes everywhere', async () => {
    expect(await checked([pin])).toMatchObject({ ok: true });
    expect(await contentsChecked()).toMatchObject({ ok: true });
    expect(await started()).toEqual({ denied: null, detail: '' });
    await expectVerified({ verify: { unseen: '' }, fsck: { unseen: '' }, pins: { unseen: '' } }, told);
  }, 120_000);

  it.each([...tamperedRows, ...tamperedRestores])('$name: is found as far as each surface can', async (tampering) => {
    await inDatabase(tampering, async (tampered) => {
      await expectVerified(tampering, tampered);
      expectFsck('what' in tampering.fsck && tampering.fsck.what === 'content' ? await contentsChecked() : await checked(), tampering.fsck, tampered);
      await expectPins(tampering.pins);
      // What fsck alone cannot know, it finds with a pin, wherever a start would.
      if ('unseen' in tampering.fsck && 'denied' in tampering.pins && /log|history/i.test(tampering.pins.says)) expect(await checked([pin])).toMatchObject({ ok: false });
    });
  }, 60_000);

  it.each([...tamperedDecisions, ...tamperedLifeCycles, ...tamperedEvidence, ...tamperedAuthority, ...tamperedPasskeys])('$name: fsck and a start say what the table says', async (tampering) => {
    if ('unseen' in tampering.fsck && tampering.fsck.unseen.startsWith('No such row')) return;
    await inDatabase(tampering, async (tampered) => {
      expectFsck(await checked(), tampering.fsck, tampered);
      await expectPins(tampering.pins);
    });
  }, 60_000);
});
