import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { createTestDatabase } from '@/lib/testing/database';
import { testConsole } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';

let plane: TestPlane;
let folder: string;
let bundle: string;
let session: string;

const inFolder = (name: string): string => path.join(folder, name);
const env = (): Record<string, string> => ({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory });
const cli = (...args: string[]): Promise<Said> => runCli(env(), ...args);
/** A verifier has neither database nor state directory. */
const verify = (...args: string[]): Promise<Said> => runCli({}, 'verify', ...args);
const root = (): string[] => ['--root', plane.provisioned.fingerprint];

const propose = (tool: string, operation: string, parameters: object) =>
  plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters });

/** Until a checkpoint covers all that is there. */
async function untilCovered(): Promise<void> {
  const { log } = plane.stores;
  const { size } = await log.head();
  await vi.waitUntil(async () => (await log.checkpointCovering(size)) !== undefined, { timeout: 10_000 });
}

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-bundles-'));
  session = await plane.openSession('Write a note and look up the orders.');
  const note = await propose('notes', 'write', { text: 'start' });
  await plane.call(plane.token('gate'), 'POST', `/v1/permits/${note.body.permit.id}/redeem`);
  await plane.call(plane.token('gate'), 'POST', `/v1/actions/${note.body.id}/outcome`, { status: 'succeeded', output: 'written' });
  await propose('database', 'query', { query: 'SELECT id FROM orders' });
  await propose('database', 'drop', { database: 'production' });
  await untilCovered();
  bundle = inFolder('bundle.json');
});

afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('export and verify', () => {
  test('what is exported verifies with the root’s fingerprint, decisions included', async () => {
    expect(await cli('export', '--out', bundle)).toMatchObject({ code: 0, out: '' });
    const said = await verify(bundle, ...root());
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain('3 reproduced, 0 differ, 0 cannot be re-derived');
    expect(said.out).toMatch(/What this does not prove:\n {2}- It does not prove/);
    expect(said.out).toMatch(/VERIFIED: .*\n$/);
  });

  test('without the fingerprint the issuer is not verified: exit 3', async () => {
    const said = await verify(bundle);
    expect(said.code).toBe(3);
    expect(said.out).toContain('ISSUER NOT VERIFIED');
  });

  test('another fingerprint is refused, with the one expected and the one found', async () => {
    const other = 'a'.repeat(64);
    const said = await verify(bundle, '--root', other);
    expect(said.code).toBe(1);
    expect(said.out).toContain(`expected: The trust roots lead to the fingerprint ${other}`);
    expect(said.out).toContain(`found:    the bundle begins with ${plane.provisioned.fingerprint}`);
  });

  test('a tampered receipt is refused and named', async () => {
    const text = await readFile(bundle, 'utf8');
    const leaves = JSON.parse(text).leaves as { envelope: { signatures: { sig: string }[] } }[];
    const signature = leaves.at(-2)?.envelope.signatures[0]?.sig ?? '';
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await writeFile(inFolder('tampered.json'), text.replace(signature, changed));
    const said = await verify(inFolder('tampered.json'), ...root());
    expect(said.code).toBe(1);
    expect(said.out).toMatch(new RegExp(`First bad receipt: position ${String(leaves.length - 2)}, [a-z_]+ rcp_`));
    expect(said.out).toMatch(/ {2}expected: .+\n {2}found: {4}.+\n/);
    expect(said.out).toMatch(/FAILED: .*\n$/);
  });

  test.each([
    ['a truncated file', (text: string) => text.slice(0, -1)],
    ['a file with a space too many', (text: string) => text.replace(',', ', ')],
    ['an empty file', () => ''],
    ['another JSON', () => '{}'],
  ])('%s is unreadable: exit 2', async (_what, damage) => {
    await writeFile(inFolder('damaged.json'), damage(await readFile(bundle, 'utf8')));
    const said = await verify(inFolder('damaged.json'), ...root());
    expect(said.code).toBe(2);
    expect(said.out).toMatch(/UNREADABLE: .*\n$/);
  });

  test('a file that is not there is exit 2 and leaves stdout empty', async () => {
    expect(await verify(inFolder('missing.json'), '--json')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('missing.json') });
  });

  test('--json is the report alone', async () => {
    const said = await verify(bundle, ...root(), '--json');
    expect(said.err).toBe('');
    expect(JSON.parse(said.out)).toMatchObject({ verdict: 'verified', rederived: { reproduced: 3, differs: 0, cannot: 0 }, root: plane.provisioned.fingerprint });
  });

  test('a bundle’s own text cannot steer the terminal', async () => {
    await writeFile(inFolder('steering.json'), `${'\u001b[2J'}${await readFile(bundle, 'utf8')}`);
    for (const args of [[inFolder('steering.json')], [inFolder('steering.json'), '--json']]) expect((await verify(...args)).out).not.toContain('\u001b');
  });

  test('an export leaves a receipt that says who took what out, and a file only its owner reads', async () => {
    const file = inFolder('ranged.json');
    expect((await cli('export', '--from', '2', '--to', '6', '--withhold', '--out', file)).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { parts, close } = await testConsole({ ...plane });
    const [row] = (await parts.log.search({ kind: 'export_made' }, { limit: 1 })).rows;
    const { payload } = JSON.parse(row?.envelope ?? '{}');
    expect(JSON.parse(Buffer.from(payload, 'base64').toString()).predicate).toMatchObject({ by: { kind: 'service', id: 'cli' }, from: 2, to: 6, withheld: true });
    await close();
    expect((await verify(file, ...root())).code).toBe(0);
  });

  test('the receipts of one session verify by themselves', async () => {
    const file = inFolder('session.json');
    expect((await cli('export', '--session', session, '--out', file)).code).toBe(0);
    expect((await verify(file, ...root())).code).toBe(0);
  });

  test.each([
    ['a range that is none', ['--from', '5', '--to', '5'], 'invalid_input'],
    ['a range beyond the log', ['--from', '100000'], 'invalid_input'],
    ['a session that is not there', ['--session', `ses_${'0'.repeat(22)}`], 'not_found'],
  ])('%s is refused, makes no file and no receipt', async (_what, args, code) => {
    const before = await plane.stores.log.head();
    const said = await cli('export', ...args, '--out', inFolder('none.json'));
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain(`error: ${code}: `);
    expect((await readdir(folder)).filter((name) => name.startsWith('none'))).toEqual([]);
    expect((await plane.stores.log.head()).size).toBe(before.size);
  });

  test('a folder that cannot be written is exit 2, before anything is recorded', async () => {
    const before = await plane.stores.log.head();
    expect((await cli('export', '--out', inFolder('no-such-folder/bundle.json'))).code).toBe(2);
    expect((await plane.stores.log.head()).size).toBe(before.size);
  });
});

describe('export of a part, and erase', () => {
  async function said(kind: 'export_made' | 'content_erased'): Promise<unknown> {
    const [row] = (await plane.stores.log.search({ kind }, { limit: 1 })).rows;
    const { predicate } = JSON.parse(Buffer.from(JSON.parse(row?.envelope ?? '{}').payload, 'base64').toString()) as { readonly predicate: unknown };
    return predicate;
  }

  test('the case of one action verifies by itself, and its receipt names the action', async () => {
    const [decided] = (await plane.stores.log.search({ kind: 'action_decided', tool: 'notes' }, { limit: 1 })).rows;
    const file = inFolder('case.json');
    expect((await cli('export', '--case', decided?.action ?? '', '--withhold-sensitive', '--out', file)).code).toBe(0);
    expect((await verify(file, ...root())).code).toBe(0);
    expect(await said('export_made')).toMatchObject({ case: decided?.action, session, withheld: false });
    expect(await cli('export', '--case', `apr_${'0'.repeat(22)}`, '--out', inFolder('none.json'))).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
  });

  test('a file that is there is replaced only when asked to', async () => {
    const file = inFolder('there.json');
    await writeFile(file, 'mine');
    expect(await cli('export', '--out', file)).toMatchObject({ code: 1, err: expect.stringContaining('--force') });
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await cli('export', '--out', file, '--force')).code).toBe(0);
    expect((await verify(file, ...root())).code).toBe(0);
  });

  test.each([
    ['a range and a session', ['export', '--from', '1', '--session', `ses_${'0'.repeat(22)}`, '--out', 'x']],
    ['an id that is no case', ['export', '--case', 'rcp_x', '--out', 'x']],
    ['two ways to withhold', ['export', '--withhold', '--withhold-sensitive', '--out', 'x']],
    ['a digest that is none', ['export', '--withhold-content', 'abc', '--out', 'x']],
    ['nothing to erase', ['erase', '--reason', 'Asked.']],
    ['no reason to erase', ['erase', '--session', `ses_${'0'.repeat(22)}`]],
    ['two things to erase', ['erase', '--action', `act_${'0'.repeat(22)}`, '--session', `ses_${'0'.repeat(22)}`, '--reason', 'Asked.']],
    ['an age without its unit', ['erase', '--older-than', '90', '--reason', 'Rule.']],
  ])('%s is usage: exit 2', async (_what, args) => {
    expect(await cli(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('usage: countersign') });
  });

  test('an open session is not erased, a closed one is, and the log still checks out', async () => {
    expect(await cli('erase', '--session', session, '--reason', 'Asked.')).toMatchObject({ code: 1, err: expect.stringContaining('is open') });
    await plane.call(plane.token('desk'), 'DELETE', `/v1/sessions/${session}`);
    const erased = await cli('erase', '--session', session, '--reason', 'The person asked for it.');
    expect(erased).toMatchObject({ code: 0, out: '', err: expect.stringMatching(/^Erased \d+ contents and \d+ steps/) });
    expect(await said('content_erased')).toMatchObject({ cause: 'asked', session, by: { kind: 'service', id: 'cli' } });
    expect(await cli('erase', '--older-than', '90d', '--reason', 'Kept for 90 days.')).toMatchObject({ code: 0, err: expect.stringContaining('Erased 0 contents') });
    expect((await cli('fsck')).code).toBe(0);
  });
});

describe('fsck', () => {
  const asOwner = async (sql: string): Promise<void> => {
    const client = new pg.Client(plane.databaseUrl);
    await client.connect();
    try {
      await client.query(`SET session_replication_role = replica; ${sql}`);
    } finally {
      await client.end();
    }
  };

  test('a sound log is exit 0, compared with the pins of every process', async () => {
    await cli('trust', 'show');
    const said = await cli('fsck', '--json');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(said.out)).toMatchObject({ ok: true, size: expect.any(Number), root: expect.stringMatching(/^[0-9a-f]{64}$/), pins: expect.any(Number) });
    expect(JSON.parse(said.out).pins).toBeGreaterThan(0);
    expect((await cli('fsck')).out).toMatch(/^The log checks out: \d+ receipts/);
  });

  test('a pin that the log does not lead to is exit 1', async () => {
    const pin = path.join(plane.stateDirectory, 'pin.other.json');
    await writeFile(pin, (await readFile(path.join(plane.stateDirectory, 'pin.cli.json'), 'utf8')).replace(/"root":"[0-9a-f]{64}"/, `"root":"${'0'.repeat(64)}"`));
    const said = await cli('fsck', '--json');
    expect(said.code).toBe(1);
    expect(JSON.parse(said.out)).toMatchObject({ ok: false, what: 'pin' });
    await writeFile(pin, '{"schema":');
    expect(await cli('fsck', '--json')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('pin.other.json') });
    await rm(pin);
  });

  test('a changed byte is exit 1 with its position, and an export of it is refused', async () => {
    await asOwner(`UPDATE receipts SET envelope = replace(envelope, '"sig":"', '"sig":"A') WHERE index = 3`);
    const said = await cli('fsck');
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(/^error: ledger_broken: First difference at position 3 \(changed\): /);
    expect(JSON.parse((await cli('fsck', '--json')).out)).toMatchObject({ ok: false, position: 3, what: 'changed' });
    const exported = await cli('export', '--out', inFolder('broken.json'));
    expect(exported.code).toBe(1);
    expect(exported.err).toContain('error: ledger_broken: ');
  });

  test('a database that cannot be reached is exit 2', async () => {
    expect(await runCli({ ...env(), DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }, 'fsck', '--json')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^error: /) });
  });
});

describe('set-up-link', () => {
  test('prints a link that opens set-up while there is no owner', async () => {
    const database = await createTestDatabase();
    const state = await mkdtemp(path.join(os.tmpdir(), 'countersign-new-'));
    const settings = { DATABASE_URL: database.url, COUNTERSIGN_STATE: state, PORT: '3998' };
    const said = await runCli(settings, 'set-up-link');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toMatch(/ http:\/\/localhost:3998\/set-up\?token=setup_[\w-]{43}\n/);
    const again = await runCli(settings, 'set-up-link');
    expect(again.out).not.toBe(said.out);
    await database.drop();
    await rm(state, { recursive: true });
  });

  test('prints no link once there is one, and says so unless it is to be quiet', async () => {
    expect(await cli('set-up-link')).toMatchObject({ code: 0, out: '', err: expect.stringContaining('There is an owner already.') });
    expect(await cli('set-up-link', '--quiet')).toEqual({ code: 0, out: '', err: '' });
  });
});
