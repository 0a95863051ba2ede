import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { generateKey } from '@/lib/server/ed25519';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';

let plane: TestPlane;
let folder: string;
let ownerKey: string;
let strangerKey: string;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-switches-'));
  [ownerKey, strangerKey] = [path.join(folder, 'owner.pem'), path.join(folder, 'stranger.pem')];
  await writeFile(ownerKey, plane.owner.pem, { mode: 0o600 });
  await writeFile(strangerKey, generateKey().pem, { mode: 0o600 });
  const { parts, close } = await testConsole(plane);
  valueOf(await throwSwitch(parts, plane.personOf('admin'), { scope: 'agent', subject: 'helper', reason: 'Look first.' }));
  await close();
}, 60_000);
afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
});

const cli = (...args: string[]): Promise<Said> => runCli({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory, PORT: '3999' }, 'switch', 'release', ...args);
const decide = async (): Promise<unknown> => {
  const session = await plane.openSession('Take a note.');
  return (await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } })).body;
};

describe('switch release', () => {
  test('names one switch, says why, and takes a key', async () => {
    for (const args of [[], ['--all', '--agent', 'helper', '--reason', 'x', '--key', ownerKey], ['--agent', 'helper', '--key', ownerKey], ['--agent', 'helper', '--reason', 'x']]) {
      expect(await cli(...args)).toMatchObject({ code: 2 });
    }
  });

  test('is refused to a key that is no owner’s, and for a switch that is not thrown', async () => {
    const said = await cli('--agent', 'helper', '--reason', 'Looked.', '--key', strangerKey);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain('error: signature_invalid: ');
    expect((await cli('--all', '--reason', 'Looked.', '--key', ownerKey)).err).toContain('error: not_found: ');
    expect(await decide()).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
  });

  test('releases exactly that switch with an owner’s key', async () => {
    expect(await cli('--agent', 'helper', '--reason', 'Looked.', '--key', ownerKey)).toMatchObject({ code: 0, out: 'Released: agent helper\n' });
    expect(await decide()).toMatchObject({ decision: 'ALLOW' });
  });
});
