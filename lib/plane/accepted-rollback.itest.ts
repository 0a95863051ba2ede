import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { statementTypes } from '@/lib/authority/owner-statements';
import { parsePin } from '@/lib/authority/parse-pin';
import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import { revokeCredential } from '@/lib/services/console/revoke-credential';
import { testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';
import { changeRoot } from '@/lib/testing/trust-ceremony';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let folder: string;
let key: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-accepted-'));
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  key = path.join(folder, 'owner.pem');
  await writeFile(key, plane.owner.pem);
}, 60_000);
afterEach(async () => {
  await pool.end();
  await plane.stop();
  await rm(folder, { recursive: true });
});

type Dump = Readonly<Record<string, readonly Record<string, unknown>[]>>;
const tables = ['receipts', 'ledger_heads', 'ledger_tiles', 'checkpoints', 'trust_roots', 'rosters', 'policy_revisions', 'credentials', 'sessions', 'context_entries', 'receipt_facets', 'receipt_spans'] as const;

/** Everything that counts, as a dump would hold it; and the way to load it again, as somebody with the database's password can. */
async function dump(): Promise<Dump> {
  const taken: Record<string, readonly Record<string, unknown>[]> = {};
  for (const table of tables) taken[table] = (await pool.query<Record<string, unknown>>(`SELECT * FROM "${table}"`)).rows;
  return taken;
}
async function load(taken: Dump): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  for (const table of tables) {
    await pool.query(`DELETE FROM "${table}"`);
    for (const row of taken[table] ?? []) {
      const names = Object.keys(row);
      await pool.query(`INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((_, at) => `$${String(at + 1)}`).join(', ')})`, Object.values(row));
    }
  }
}

const env = () => ({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory });
const accept = (...args: readonly string[]): Promise<Said> => runCli(env(), 'trust', 'accept-rollback', ...args);
const readiness = async (url = plane.url) => (await callPlane(url, null, 'GET', '/readyz')).body as { readonly status: string; readonly code?: string };
const size = async () => Number((await plane.stores.log.head()).size);
const pinnedSize = async (role: string): Promise<number> => {
  const pin = parsePin(await readFile(path.join(plane.stateDirectory, `pin.${role}.json`), 'utf8'));
  return pin.ok ? (pin.value.log?.size ?? 0) : -1;
};
const untilPinned = async () => {
  const wanted = await size();
  await vi.waitUntil(async () => { await readiness(); return (await pinnedSize('plane')) >= wanted; }, { timeout: 10_000 });
};
const grow = async (count: number) => { for (let n = 0; n < count; n++) await plane.openSession('Take notes.'); };
const consoleOf = () => testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory });
const consoleDenied = async () => {
  const { parts, close } = await consoleOf();
  try {
    return (await parts.inForce.refresh()).denied;
  } finally {
    await close();
  }
};

/** A database that is behind what plane and console have served, each by another number of receipts. */
async function restored(): Promise<Dump> {
  await grow(1);
  const early = await dump();
  await grow(2);
  expect(await consoleDenied()).toBeNull();
  await grow(2);
  await untilPinned();
  const late = await dump();
  await load(early);
  expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  expect(await consoleDenied()).toBe('rollback_detected');
  return late;
}

describe('a restored database that an owner accepts', () => {
  it('is served by console and plane alike, each of which was named with exactly its pin, and their pins go on from there', async () => {
    await restored();
    const before = await size();
    const said = await accept('--key', key, '--reason', 'The disk was lost; this is the newest dump.');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain('pin.plane.json');
    expect(said.out).toContain('pin.console.json');
    expect(await readiness()).toMatchObject({ status: 'ready' });
    expect(await consoleDenied()).toBeNull();
    expect(await size()).toBe(before + 2);
    expect(await pinnedSize('plane')).toBe(before + 2);
    const other = await plane.another();
    expect(await readiness(other.url)).toMatchObject({ status: 'ready' });
    await other.stop();
    await grow(1);
    const { parts, close } = await consoleOf();
    const grown = BigInt(await size());
    await vi.waitUntil(async () => ((await parts.log.latestCheckpoint())?.size ?? 0n) >= grown, { timeout: 20_000 });
    const bundle = path.join(folder, 'all.bundle');
    expect((await runCli(env(), 'export', '--out', bundle)).code).toBe(0);
    const verified = await runCli({}, 'verify', bundle, '--root', plane.provisioned.fingerprint);
    expect(verified.code, verified.out + verified.err).toBe(0);
    expect(await unreadableReceipts(parts)).toEqual([]);
    await close();
    expect(await accept('--key', key, '--reason', 'Again.')).toMatchObject({ code: 0, out: 'No pin of this state directory is ahead of the database.\n' });
  });

  it('protects what is served from then on: the same dump with the same acceptance is a rollback again', async () => {
    await restored();
    expect((await accept('--key', key, '--reason', 'Newest dump.')).code).toBe(0);
    expect(await readiness()).toMatchObject({ status: 'ready' });
    const accepted = await dump();
    await grow(2);
    await untilPinned();
    await load(accepted);
    await pool.query('UPDATE ledger_heads SET epoch = epoch + 10');
    expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  });

  it('is accepted by nobody but an owner, with a reason', async () => {
    await restored();
    const stranger = path.join(folder, 'stranger.pem');
    await writeFile(stranger, generateKey().pem);
    expect(await accept('--key', stranger, '--reason', 'Trust me.')).toMatchObject({ code: 1, out: '' });
    expect(await accept('--key', key)).toMatchObject({ code: 2 });
    expect(await accept('--reason', 'No key.')).toMatchObject({ code: 2 });
    expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  });

  it('is accepted for the pin that is named and for no other: a process that has served more goes on denying', async () => {
    await restored();
    const plainPin = await readFile(path.join(plane.stateDirectory, 'pin.plane.json'), 'utf8');
    // The owner's command runs where only the console's pin lies.
    const elsewhere = await mkdtemp(path.join(os.tmpdir(), 'countersign-host-'));
    for (const file of ['pin.json', 'pin.console.json']) await writeFile(path.join(elsewhere, file), await readFile(path.join(plane.stateDirectory, file), 'utf8'));
    await runCli({ ...env(), COUNTERSIGN_STATE: elsewhere, CONSOLE_KEY: (await readFile(path.join(plane.stateDirectory, 'keys/console.pem'), 'utf8')).replaceAll('\n', '\\n') }, 'trust', 'accept-rollback', '--key', key, '--reason', 'Console only.');
    expect(await consoleDenied()).toBeNull();
    expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    expect(await readFile(path.join(plane.stateDirectory, 'pin.plane.json'), 'utf8')).toBe(plainPin);
    await rm(elsewhere, { recursive: true });
  });

  it('does not bring an older trust root back, whoever signs: an owner who was removed could let themselves in', async () => {
    const { parts, close } = await consoleOf();
    const early = await dump();
    await changeRoot(parts, { cool_off_seconds: 60 }, { person: plane.personOf('owner'), key: plane.owner });
    await untilPinned();
    await load(early);
    await close();
    const said = await accept('--key', key, '--reason', 'I was an owner then.');
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain('trust root 1');
    expect(await readiness()).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  });

  it('is not accepted by a row: a receipt that no service signed, or a statement that was altered, moves no pin', async () => {
    const late = await restored();
    const early = await dump();
    expect((await accept('--key', key, '--reason', 'Newest dump.')).code).toBe(0);
    const receipt = (await pool.query<Record<string, unknown>>(`SELECT * FROM receipts WHERE kind = 'rollback_accepted' ORDER BY index LIMIT 1`)).rows[0];
    const envelope = JSON.parse(String(receipt?.['envelope'])) as { payload: string };
    const statement = Buffer.from(envelope.payload, 'base64').toString('utf8');
    expect(statement).toContain(statementTypes.rollback_acceptance);
    // Back to before the acceptance, with an acceptance whose statement says another thing than the service signed.
    await load(late);
    await pool.query('UPDATE ledger_heads SET epoch = epoch + 20');
    await load(early);
    const forged = { ...receipt, envelope: JSON.stringify({ ...envelope, payload: Buffer.from(statement.replace('Newest dump.', 'Other dump!!')).toString('base64') }) };
    const names = Object.keys(forged);
    await pool.query(`INSERT INTO receipts (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((_, at) => `$${String(at + 1)}`).join(', ')})`, Object.values(forged));
    const other = await plane.another();
    expect(await readiness(other.url)).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
    await other.stop();
  });

  it('leaves what the log says since then in force: a revocation after the restore counts', async () => {
    await restored();
    expect((await accept('--key', key, '--reason', 'Newest dump.')).code).toBe(0);
    const { parts, close } = await consoleOf();
    const admin = plane.personOf('admin');
    const gate = plane.provisioned.vouching.find(({ subject }) => subject === 'gate');
    if (!gate) throw new Error('No gate.');
    valueOf(await revokeCredential(parts, admin, gate.id));
    await close();
    expect(await plane.call(plane.token('gate'), 'GET', '/v1/actions/act_0000000000000000000000')).toMatchObject({ status: 401 });
  });
});
