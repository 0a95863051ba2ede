import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createEmptyDatabase } from '@/lib/testing/database';
import { generateKey } from '@/lib/server/ed25519';
import { runCli, type Said } from '@/lib/testing/run-cli';

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
const inFolder = (name: string): string => path.join(folder, name);
const cli = (...args: string[]): Promise<Said> => runCli({ DATABASE_URL: database.url, COUNTERSIGN_STATE: inFolder('state') }, ...args);
const shown = async () => JSON.parse((await cli('trust', 'show', '--json')).out) as { trust_root: { version: number; fingerprint: string; services: readonly { role: string; to: number | null }[]; recovery_key: string }; denied: string | null };
const init = (...more: string[]) => cli('trust', 'init', '--name', 'Olga Owner', '--email', 'olga@harbor.example', '--key', inFolder('owner.pem'), '--recovery', inFolder('recovery.pem'), ...more);
const rotate = (...args: string[]) => cli('trust', 'rotate', '--key', inFolder('owner.pem'), ...args);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-trust-'));
  database = await createEmptyDatabase();
  await mkdir(inFolder('state'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('countersign trust', () => {
  test('init sets up without a browser: keys in files that only their owner reads, root pinned, policy in force', async () => {
    const said = await init();
    expect(said).toMatchObject({ code: 0, err: '' });
    for (const file of ['owner.pem', 'recovery.pem']) expect((await stat(inFolder(file))).mode & 0o777).toBe(0o600);
    const { trust_root, denied } = await shown();
    expect(denied).toBeNull();
    expect(said.out).toContain(trust_root.fingerprint);
    expect(await readFile(inFolder('state/pin.json'), 'utf8')).toContain(trust_root.fingerprint);
  }, 120_000);

  test('init makes no second owner, and writes over no key', async () => {
    const key = await readFile(inFolder('owner.pem'), 'utf8');
    expect(await init()).toMatchObject({ code: 1 });
    expect(await readFile(inFolder('owner.pem'), 'utf8')).toBe(key);
    expect(await cli('trust', 'init', '--name', 'x')).toMatchObject({ code: 2 });
  });

  test('recover announces with the recovery key, waits its day, and gives way to an owner who cancels', async () => {
    const heir = inFolder('heir.pem');
    await writeFile(heir, generateKey().pem);
    const recover = (...args: string[]) => cli('trust', 'recover', ...args);
    const key = inFolder('recovery.pem');
    expect((await recover('--announce', '--recovery', heir, '--owner-key', heir)).err).toMatch(/^error: signature_invalid: /);
    expect((await recover('--announce', '--recovery', key, '--owner-key', heir)).out).toMatch(/ is announced\. It can be completed from \d{4}-/);
    expect((await recover('--complete', '--owner-key', heir)).err).toMatch(/^error: conflict: It can come into force at /);
    expect((await recover('--cancel', '--owner-key', heir)).err).toMatch(/^error: forbidden: /);
    expect(await recover('--cancel', '--owner-key', inFolder('owner.pem'))).toMatchObject({ code: 0, out: 'Cancelled: trust root 2.\n' });
    expect((await recover('--complete', '--owner-key', heir)).err).toMatch(/^error: not_found: /);
    expect(await recover('--owner-key', heir)).toMatchObject({ code: 2 });
  });

  test('rotate takes a change of an owner into force, and none of anybody else', async () => {
    expect(await rotate('--cool-off', '600')).toMatchObject({ code: 0, out: 'Trust root 2 is in force.\n' });
    const stranger = inFolder('stranger.pem');
    await writeFile(stranger, generateKey().pem);
    const said = await cli('trust', 'rotate', '--key', stranger, '--cool-off', '0');
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(/^error: forbidden: /);
    expect((await shown()).trust_root.version).toBe(2);
  });

  test('rotate refuses what would lock everybody out, and a change that is none', async () => {
    const file = inFolder('change.json');
    await writeFile(file, JSON.stringify({ thresholds: { policy: 1, loosening: 3, root: 1 } }));
    expect((await rotate('--change', file)).err).toMatch(/^error: trust_root_invalid: Only 1 owners/);
    await writeFile(file, JSON.stringify({ threshold: 1 }));
    expect(await rotate('--change', file)).toMatchObject({ code: 1 });
    expect(await rotate()).toMatchObject({ code: 2 });
    expect((await shown()).trust_root.version).toBe(2);
  });

  test('rotate gives the plane of this host a successor key, in a file that only it reads', async () => {
    expect(await rotate('--service', 'plane')).toMatchObject({ code: 0 });
    expect((await stat(inFolder('state/keys/plane.next.pem'))).mode & 0o777).toBe(0o600);
    const plane = (await shown()).trust_root.services.filter(({ role }) => role === 'plane');
    expect(plane.map(({ to }) => to === null).sort()).toEqual([false, true]);
  });

  test('rotate replaces the recovery key by a new one', async () => {
    const before = (await shown()).trust_root.recovery_key;
    expect(await rotate('--recovery', inFolder('recovery-2.pem'))).toMatchObject({ code: 0 });
    expect((await shown()).trust_root.recovery_key).not.toBe(before);
    expect(await rotate('--recovery', inFolder('recovery-2.pem'))).toMatchObject({ code: 2 });
  });
});
