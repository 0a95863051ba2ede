import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { DocumentToSign } from '@/lib/contracts/console/set-up';
import type { SigningRequestView } from '@/lib/contracts/console/signing-requests';
import { generateKey } from '@/lib/server/ed25519';
import { signRequest } from '@/lib/services/console/sign-request';
import { signingRequestView } from '@/lib/services/console/signing-request';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { hearCli } from '@/lib/testing/hear-cli';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli, type Said } from '@/lib/testing/run-cli';

let plane: TestPlane;
let folder: string;
let ownerKey: string;
let strangerKey: string;

const env = (): Record<string, string> => ({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory, PORT: '3999' });
const cli = (...args: string[]): Promise<Said> => runCli(env(), ...args);
const renamed = (word: string): string => planePolicy.replace('Mail is allowed.', word);

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** Somebody who can write rows at will. */
async function asAttacker(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: plane.databaseUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
const revisionNow = async (): Promise<number> => Number(JSON.parse((await cli('trust', 'show', '--json')).out).policy.revision);

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-rollback-'));
  ownerKey = await write('owner.pem', plane.owner.pem);
  strangerKey = await write('stranger.pem', generateKey().pem);
});

afterAll(async () => {
  await plane.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('policy rollback', () => {
  const applied = async (name: string, text: string): Promise<number> => {
    const file = await write(name, text);
    expect((await cli('policy', 'sign', file, '--key', ownerKey)).code).toBe(0);
    expect((await cli('policy', 'apply', file, '--key', ownerKey)).code).toBe(0);
    return await revisionNow();
  };
  const receiptsOf = async (kind: 'policy_applied' | 'policy_rolled_back') => {
    const { parts, close } = await testConsole(plane);
    const { rows } = await parts.log.search({ kind }, { limit: 5 });
    await close();
    return rows.map(({ envelope }) => (JSON.parse(Buffer.from((JSON.parse(envelope) as { readonly payload: string }).payload, 'base64').toString()) as { readonly predicate: { readonly revision: number; readonly digest: string } }).predicate);
  };

  test('an old text comes back as a new, higher revision, and the log says what it brought back and what it replaced', async () => {
    const first = await applied('first.yaml', renamed('The first one.'));
    const second = await applied('second.yaml', renamed('The second one.'));
    const said = await cli('policy', 'rollback', String(first), '--key', ownerKey, '--reason', 'The second one stops too much.');
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(said.out).toMatch(new RegExp(`^Revision ${String(second + 1)} is in force, with the text of r${String(first)}: sha256:[0-9a-f]{64}\n$`));
    expect(await revisionNow()).toBe(second + 1);
    const [applied1] = await receiptsOf('policy_applied');
    const [back] = await receiptsOf('policy_rolled_back');
    expect(applied1).toMatchObject({ revision: second + 1, origin: 'rollback', self_signed: true });
    expect(back).toMatchObject({ revision: second + 1, digest: applied1?.digest, restores: { revision: first }, replaces: { revision: second }, reason: 'The second one stops too much.' });
  });

  test.each([
    ['the revision in force', async () => String(await revisionNow()), 'conflict'],
    ['a revision that there never was', async () => '900', 'not_found'],
  ])('%s is refused', async (_what, revision, code) => {
    const before = await revisionNow();
    const said = await cli('policy', 'rollback', await revision(), '--key', ownerKey);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain(`error: ${code}: `);
    expect(await revisionNow()).toBe(before);
  });

  test('a stranger’s key is refused, and what is no revision is usage', async () => {
    const before = await revisionNow();
    expect((await cli('policy', 'rollback', '1', '--key', strangerKey)).err).toContain('error: policy_signer_unknown: ');
    expect(await cli('policy', 'rollback', 'yesterday')).toMatchObject({ code: 2, out: '' });
    expect(await cli('policy', 'rollback')).toMatchObject({ code: 2, out: '' });
    expect(await revisionNow()).toBe(before);
  });

  test('a stored text that was rewritten is not brought back', async () => {
    const first = await applied('rewritten.yaml', renamed('To be rewritten.'));
    await applied('after.yaml', renamed('After it.'));
    await asAttacker(`UPDATE "policy_revisions" SET "text" = replace("text", 'action: DENY', 'action: ALLOW') WHERE "revision" = ${String(first)}`);
    const said = await cli('policy', 'rollback', String(first), '--key', ownerKey);
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toContain('error: policy_altered: ');
  });
});

describe('policy diff', () => {
  test('takes revisions of the workspace by their number, and says which are none', async () => {
    const now = await revisionNow();
    const said = await cli('policy', 'diff', `r${String(now)}`, await write('against.yaml', renamed('Against a revision.')), '--json');
    expect(said.code).toBe(1);
    expect(JSON.parse(said.out)).toMatchObject({ a: { name: `r${String(now)}` }, same: false, comparison: { change: 'none' } });
    expect(await cli('policy', 'diff', 'r900', 'r1')).toMatchObject({ code: 2, out: '' });
  });
});

describe('without a key file', () => {
  const linkIn = (out: string): string => /link=(sign_[\w-]+)/.exec(out)?.[1] ?? '';

  /** Runs a command and signs what its link leads to, as the owner’s browser does. */
  async function signedInBrowser(args: readonly string[], meanwhile: (view: SigningRequestView) => SigningRequestView = (view) => view): Promise<Said & { readonly page: SigningRequestView; readonly link: string }> {
    const { parts, close } = await testConsole(plane);
    const person = plane.personOf('owner');
    let page: SigningRequestView | undefined;
    let link = '';
    const said = await hearCli(env(), args, async (text) => {
      if (linkIn(text) === '') return;
      link = linkIn(text);
      page = valueOf(await signingRequestView(parts, link));
      const { policy, place } = meanwhile(page);
      const sign = async ({ payload_type, text: bytes }: DocumentToSign) => envelopeText(await signEnvelope(payload_type, utf8(bytes), [plane.owner.signer]));
      await signRequest(parts, person, { link, signature: await sign(policy), statement: place && (await sign(place)) });
    });
    await close();
    if (page === undefined) throw new Error(`No link was printed: ${said.out} ${said.err}`);
    return { ...said, page, link };
  }

  test('a text is signed where the owner’s browser is, and the signature is written beside the file', async () => {
    const file = await write('browser.yaml', renamed('In a browser.'));
    const said = await signedInBrowser(['policy', 'sign', file]);
    expect(said.code).toBe(0);
    expect(said.page).toMatchObject({ purpose: 'sign', name: 'browser.yaml', text: renamed('In a browser.'), place: null });
    expect(said.err).toContain(`sha256:${said.page.digest}`);
    expect(await cli('policy', 'verify', file)).toMatchObject({ code: 0 });
  });

  test('a signed file is applied, and an earlier text brought back, by the owner’s browser alone', async () => {
    const before = await revisionNow();
    const file = await write('applied-there.yaml', renamed('Applied there.'));
    await signedInBrowser(['policy', 'sign', file]);
    const said = await signedInBrowser(['policy', 'apply', file]);
    expect(said).toMatchObject({ code: 0, page: { purpose: 'apply', place: expect.anything() } });
    expect(said.out).toContain(`Revision ${String(before + 1)} is in force: sha256:`);
    const back = await signedInBrowser(['policy', 'rollback', String(before), '--reason', 'Back again.']);
    expect(back).toMatchObject({ code: 0, page: { purpose: 'rollback', restores: before, reason: 'Back again.' } });
    expect(await revisionNow()).toBe(before + 2);
  });

  test('a link works once', async () => {
    const { link } = await signedInBrowser(['policy', 'sign', await write('once.yaml', renamed('Once.'))]);
    const { parts, close } = await testConsole(plane);
    expect(await signingRequestView(parts, link)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    await close();
  });

  test('another text than the file’s is not taken, whatever the database says', async () => {
    const file = await write('swapped.yaml', renamed('Swapped.'));
    const said = await signedInBrowser(['policy', 'sign', file, '--wait', '2'], (view) => ({ ...view, policy: { ...view.policy, text: renamed('Another one.') } }));
    expect(said.code).toBe(1);
    await expect(readFile(`${file}.sig.json`)).rejects.toThrow();
  });

  test('nobody signs in time: exit 1, and no signature', async () => {
    const file = await write('late.yaml', renamed('Late.'));
    const said = await cli('policy', 'sign', file, '--wait', '0');
    expect(said.code).toBe(1);
    expect(said.out).toContain('http://localhost:3999/policies/sign?link=sign_');
    expect(said.err).toContain('error: policy_signature_missing: ');
    await expect(readFile(`${file}.sig.json`)).rejects.toThrow();
  });
});
