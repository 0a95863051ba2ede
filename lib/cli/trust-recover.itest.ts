import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { generateKey } from '@/lib/server/ed25519';
import { createEmptyDatabase } from '@/lib/testing/database';
import { runCli, type Said } from '@/lib/testing/run-cli';

let folder: string;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
const inFolder = (name: string): string => path.join(folder, name);
const cli = (...args: string[]): Promise<Said> => runCli({ DATABASE_URL: database.url, COUNTERSIGN_STATE: inFolder('state') }, ...args);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-recover-'));
  database = await createEmptyDatabase();
  await mkdir(inFolder('state'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('countersign trust', () => {
  test('recover announces with the recovery key, waits its day, and gives way to an owner who cancels', async () => {
    const heir = inFolder('heir.pem');
    await writeFile(heir, generateKey().pem);
    const recover = (...args: string[]) => cli('trust', 'recover', ...args);
    const key = inFolder('recovery.pem');
    expect(await cli('trust', 'init', '--name', 'Olga Owner', '--email', 'olga@harbor.example', '--key', inFolder('owner.pem'), '--recovery', key)).toMatchObject({ code: 0 });
    expect((await recover('--announce', '--recovery', heir, '--owner-key', heir)).err).toMatch(/^error: signature_invalid: /);
    expect((await recover('--announce', '--recovery', key, '--owner-key', heir)).out).toMatch(/ is announced\. It can be completed from \d{4}-/);
    expect((await recover('--complete', '--owner-key', heir)).err).toMatch(/^error: conflict: It can come into force at /);
    expect((await recover('--cancel', '--owner-key', heir)).err).toMatch(/^error: forbidden: /);
    expect(await recover('--cancel', '--owner-key', inFolder('owner.pem'))).toMatchObject({ code: 0, out: 'Cancelled: trust root 2.\n' });
    expect((await recover('--complete', '--owner-key', heir)).err).toMatch(/^error: not_found: /);
    expect(await recover('--owner-key', heir)).toMatchObject({ code: 2 });
  }, 120_000);
});
