import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bounds } from '@/lib/shared/bounds';
import { generateKey } from '@/lib/server/ed25519';
import { testConsole } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';

let plane: TestPlane;
let folder: string;
let ownerKey: string;
let strangerKey: string;

const inFolder = (name: string): string => path.join(folder, name);
const env = (): Record<string, string> => ({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory, PORT: '3999' });
/** Settings that lead to no database. */
const elsewhere = (): Record<string, string> => ({ COUNTERSIGN_STATE: inFolder('no-state') });
const cli = (...args: string[]): Promise<Said> => runCli(env(), ...args);

async function write(name: string, text: string): Promise<string> {
  const file = inFolder(name);
  await writeFile(file, text);
  return file;
}

const renamed = (word: string): string => planePolicy.replace('Mail is allowed.', word);
const revisionNow = async (): Promise<number> => Number(JSON.parse((await cli('trust', 'show', '--json')).out).policy.revision);

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-policies-'));
  ownerKey = await write('owner.pem', plane.owner.pem);
  strangerKey = await write('stranger.pem', generateKey().pem);
});

afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('policy lint', () => {
  test('a fault is named with file, line and column', async () => {
    const file = await write('faulty.yaml', planePolicy.replace('action: DENY', 'action: DENI').replace('approvals:', 'aprovals:'));
    const said = await cli('policy', 'lint', file);
    expect(said).toMatchObject({ code: 1, err: '' });
    const line = planePolicy.split('\n').findIndex((text) => text.includes('action: DENY')) + 1;
    expect(said.out).toContain(`${file}:${String(line)}:`);
    expect(said.out).toContain(`${file}:5:1: policy_invalid: aprovals`);
  });

  test('what loads but cannot matter is found, as JSON too', async () => {
    const file = await write('shadowed.yaml', planePolicy.replace('match: { tool: notes, operation: write }', 'match: { tool: notes, operation: burn }'));
    const said = await cli('policy', 'lint', '--json', file);
    expect(said.code).toBe(1);
    expect(JSON.parse(said.out)).toContainEqual(expect.objectContaining({ file, code: 'never_matches', path: expect.stringMatching(/^rules\[0\]/), line: expect.any(Number), column: expect.any(Number) }));
  });

  test('a file that is not there is exit 2, bytes that are no text are a finding', async () => {
    expect(await cli('policy', 'lint', inFolder('missing.yaml'))).toMatchObject({ code: 2, out: '' });
    await writeFile(inFolder('binary.yaml'), Uint8Array.of(0xff, 0xfe, 0x00));
    expect((await cli('policy', 'lint', inFolder('binary.yaml'))).out).toContain('is not UTF-8');
  });
});

describe('policy test', () => {
  test('a case that comes out differently is exit 1 and says what was wanted', async () => {
    const file = await write('tested.yaml', planePolicy);
    const action = '{ tool: notes, operation: write, parameters: { text: hello } }';
    await write('tested.test.yaml', `tests:\n  - { name: notes are free, action: ${action}, expect: { decision: ALLOW } }\n`);
    expect(await cli('policy', 'test', file)).toMatchObject({ code: 0, err: '' });
    await write('tested.test.yaml', `tests:\n  - { name: notes are forbidden, action: ${action}, expect: { decision: DENY } }\n`);
    const said = await cli('policy', 'test', file);
    expect(said.code).toBe(1);
    expect(said.out).toContain('FAILED  notes are forbidden');
    expect(said.out).toContain('wanted "DENY", got "ALLOW"');
  });
});

describe('policy sign', () => {
  test('an owner’s key signs the exact bytes, and verify names the owner', async () => {
    const file = await write('signed.yaml', renamed('Signed.'));
    expect(await cli('policy', 'sign', file, '--key', ownerKey)).toMatchObject({ code: 0, err: '' });
    const envelope = JSON.parse(await readFile(`${file}.sig.json`, 'utf8'));
    expect(envelope.payloadType).toBe('application/vnd.countersign.policy');
    expect(Buffer.from(envelope.payload, 'base64').toString()).toBe(renamed('Signed.'));
    const verified = await cli('policy', 'verify', file);
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(verified.out).toContain('signed by Olga Owner');
  });

  test('a key that the trust root does not list is refused, and nothing is written', async () => {
    const file = await write('refused.yaml', planePolicy);
    const said = await cli('policy', 'sign', file, '--key', strangerKey);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(/^error: policy_signer_unknown: /);
    await expect(readFile(`${file}.sig.json`)).rejects.toThrow();
  });

  test('without a key and without a database there is nobody to ask', async () => {
    const said = await runCli(elsewhere(), 'policy', 'sign', await write('keyless.yaml', planePolicy));
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).toContain('There is no database in');
  });

  test('a policy that does not load is refused with its places', async () => {
    const said = await cli('policy', 'sign', await write('broken.yaml', planePolicy.replace('action: ALLOW', 'action: MAYBE')), '--key', ownerKey);
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/^error: policy_invalid: /);
    expect(said.err).toMatch(/broken\.yaml:\d+:\d+: /);
  });

  test('a key file that is none is exit 2 and its content is not shown', async () => {
    const said = await cli('policy', 'sign', await write('other.yaml', planePolicy), '--key', await write('not-a-key.pem', 'swordfish'));
    expect(said).toMatchObject({ code: 2, out: '' });
    expect(said.err).not.toContain('swordfish');
  });

  test('signatures of others over the same bytes stay, over other bytes they go', async () => {
    const file = await write('cosigned.yaml', planePolicy);
    const signers = async () => Number(JSON.parse(await readFile(`${file}.sig.json`, 'utf8')).signatures.length);
    expect((await runCli(elsewhere(), 'policy', 'sign', file, '--key', strangerKey)).err).toContain('nobody checked');
    await cli('policy', 'sign', file, '--key', ownerKey);
    expect(await signers()).toBe(2);
    await write('cosigned.yaml', renamed('Changed.'));
    await cli('policy', 'sign', file, '--key', ownerKey);
    expect(await signers()).toBe(1);
  });
});

describe('policy verify', () => {
  test.each([
    ['an altered text', 'policy_altered', async (file: string) => writeFile(file, `${planePolicy}\n`)],
    ['a half-written text', 'policy_altered', async (file: string) => writeFile(file, planePolicy.slice(0, planePolicy.length / 2))],
    ['a missing signature', 'policy_signature_missing', async (file: string) => rm(`${file}.sig.json`)],
    ['a half-written signature', 'policy_half_written', async (file: string) => writeFile(`${file}.sig.json`, (await readFile(`${file}.sig.json`, 'utf8')).slice(0, 200))],
  ])('%s is refused', async (_what, code, damage) => {
    const file = await write(`${code}.yaml`, planePolicy);
    await cli('policy', 'sign', file, '--key', ownerKey);
    await damage(file);
    const said = await cli('policy', 'verify', file);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain(`error: ${code}: `);
  });

  test('an unknown signer is refused', async () => {
    const file = await write('unknown.yaml', planePolicy);
    await runCli(elsewhere(), 'policy', 'sign', file, '--key', strangerKey);
    expect((await cli('policy', 'verify', file)).err).toContain('error: policy_signer_unknown: ');
  });
});

describe('policy apply', () => {
  const signed = async (name: string, text: string): Promise<string> => {
    const file = await write(name, text);
    expect((await cli('policy', 'sign', file, '--key', ownerKey)).code).toBe(0);
    return file;
  };
  const refusedWith = async (code: string, ...args: string[]): Promise<void> => {
    const before = await revisionNow();
    const said = await cli('policy', 'apply', ...args);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain(`error: ${code}: `);
    expect(await revisionNow()).toBe(before);
  };

  test('a signed text becomes the next revision, a running plane decides by it, and a receipt names the owner', async () => {
    const before = await revisionNow();
    const file = await signed('next.yaml', planePolicy.replace('match: { tool: notes, operation: write }\n    action: ALLOW', 'match: { tool: notes, operation: write }\n    action: DENY'));
    const said = await cli('policy', 'apply', file, '--key', ownerKey);
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toMatch(new RegExp(`^Revision ${String(before + 1)} is in force: sha256:[0-9a-f]{64}\n$`));
    const session = await plane.openSession('Write a note.');
    const answer = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
    expect(answer.body).toMatchObject({ decision: 'DENY', policy: { revision: before + 1 } });
    const { parts, close } = await testConsole({ ...plane });
    const [row] = (await parts.log.search({ kind: 'policy_applied' }, { limit: 1 })).rows;
    expect(row).toMatchObject({ revision: before + 1, person: plane.personOf('owner') });
    await close();
  });

  test('an older revision is refused', async () => {
    const file = await signed('older.yaml', renamed('Older.'));
    await refusedWith('policy_not_newer', file, '--key', ownerKey, '--revision', '1');
  });

  test('a number that skips one is refused: another revision was expected in between', async () => {
    const file = await signed('skipping.yaml', renamed('Skipping.'));
    await refusedWith('policy_base_changed', file, '--key', ownerKey, '--revision', String((await revisionNow()) + 2));
  });

  test('a text altered after it was signed is refused', async () => {
    const file = await signed('altered.yaml', renamed('Altered.'));
    await writeFile(file, renamed('Altered!'));
    await refusedWith('policy_altered', file, '--key', ownerKey);
  });

  test('an unknown signer is refused, of the text and of its place', async () => {
    const file = await write('stranger.yaml', renamed('Strange.'));
    await runCli(elsewhere(), 'policy', 'sign', file, '--key', strangerKey);
    await refusedWith('policy_signer_unknown', file, '--key', ownerKey);
    await refusedWith('policy_signer_unknown', await signed('placed.yaml', renamed('Placed.')), '--key', strangerKey);
  });

  test('an unsigned text is refused', async () => {
    await refusedWith('policy_signature_missing', await write('unsigned.yaml', planePolicy), '--key', ownerKey);
  });

  // Each step has a bound of its own (file, envelope, content, compare thread, loader): one that is lower than the policy's shows only when all are passed.
  test('a text nearly as large as policies may be is signed and applied as any other, and a plane decides by it', async () => {
    const rules = Array.from({ length: 2000 }, (_, at) => `  - id: closed-${String(at)}\n    match: { tool: notes, operation: ${at === 1999 ? 'write' : `op-${String(at)}`} }\n    action: DENY\n    reason: "${'It is closed. '.repeat(140)}"\n`);
    const text = planePolicy + rules.join('');
    expect(text.length / bounds.policyBytes).toBeGreaterThan(0.97);
    const said = await cli('policy', 'apply', await signed('large.yaml', text), '--key', ownerKey);
    expect(said).toMatchObject({ code: 0, err: '' });
    const session = await plane.openSession('Close it.');
    const answer = await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
    expect(answer.body).toMatchObject({ decision: 'DENY', policy: { revision: await revisionNow() } });
    expect((await cli('policy', 'apply', await signed('small.yaml', planePolicy), '--key', ownerKey)).code).toBe(0);
  }, 60_000);

  test('a state directory whose console key the trust root does not delegate leaves no receipts', async () => {
    const file = await signed('foreign.yaml', renamed('Foreign.'));
    const state = await mkdtemp(path.join(os.tmpdir(), 'countersign-foreign-'));
    const said = await runCli({ ...env(), COUNTERSIGN_STATE: state, COUNTERSIGN_PIN: plane.provisioned.fingerprint }, 'policy', 'apply', file, '--key', ownerKey);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain('error: forbidden: ');
    await rm(state, { recursive: true });
  });

  test('a state directory without a pin trusts no root of the database', async () => {
    const state = await mkdtemp(path.join(os.tmpdir(), 'countersign-unpinned-'));
    for (const args of [['trust', 'show'], ['policy', 'verify', inFolder('signed.yaml')]]) {
      const said = await runCli({ ...env(), COUNTERSIGN_STATE: state }, ...args);
      expect(said).toMatchObject({ code: 1, out: '' });
      expect(said.err).toContain('error: trust_root_unpinned: ');
    }
    await rm(state, { recursive: true });
  });
});

describe('trust show', () => {
  test('names fingerprint, owner, service keys and what is in force', async () => {
    const said = await cli('trust', 'show');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toContain(plane.provisioned.fingerprint);
    expect(said.out).toMatch(/Owner +Olga Owner, file-ed25519/);
    expect(said.out).toMatch(/Service key +plane /);
  });
});
