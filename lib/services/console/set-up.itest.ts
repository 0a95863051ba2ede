import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { parsePin } from '@/lib/authority/parse-pin';
import type { CompleteSetUpInput, SetUpDocuments } from '@/lib/contracts/console/set-up';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { ownServiceKey } from '@/lib/server/service-keys';
import { codeOf, listed, signText, testConsole, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';
import { isId } from '@/lib/shared/ids';

import { completeSetUp } from './complete-set-up';
import type { ConsoleParts } from './console-parts';
import { prepareSetUp } from './prepare-set-up';
import { issueSetUpLink } from './set-up-link';

const password = 'correct horse battery staple';
const who = { name: 'Olga Owner', email: 'olga@harbor.example', mode: 'team' } as const;

let database: TestStores;
let parts: ConsoleParts;
let close: () => Promise<void>;
let stateDirectory: string;
let owner: SigningKey;
let recovery: SigningKey;
let link: string;

beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

beforeEach(async () => {
  const { workspace } = await database.newWorkspace();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-set-up-'));
  await ownServiceKey(stateDirectory, 'plane');
  ({ parts, close } = await testConsole({ databaseUrl: database.url, workspace, stateDirectory }));
  owner = generateKey();
  recovery = generateKey();
  link = valueOf(await issueSetUpLink({ ...parts, sha256: parts.cryptography.sha256 })).token;
});
afterEach(async () => {
  await close();
  await rm(stateDirectory, { recursive: true, force: true });
});

const prepare = () => prepareSetUp(parts, { ...who, link, owner_key: listed(owner), recovery_key: listed(recovery, 'file-ed25519') });

async function signed(documents: SetUpDocuments, key = owner): Promise<CompleteSetUpInput> {
  return {
    ...who,
    link,
    password,
    trust_root: await signText(documents.trust_root, key),
    roster: await signText(documents.roster, key),
    policy: await signText(documents.policy, key),
    policy_revision: await signText(documents.policy_revision, key),
  };
}

const receipts = async () => Number((await parts.log.head()).size);

describe('set-up', () => {
  it('makes the first owner, whose signed documents are in force at once', async () => {
    const before = await parts.inForce.refresh();
    expect(before.denied).toBe('policy_unsigned');
    const documents = valueOf(await prepare());
    const done = valueOf(await completeSetUp(parts, await signed(documents)));
    expect(done.fingerprint).toBe(documents.fingerprint);
    const inForce = await parts.inForce.refresh();
    expect(inForce.denied).toBeNull();
    expect(inForce.policy?.revision).toBe(1);
    expect(inForce.epoch).toBeGreaterThan(before.epoch);
    if (!isId('person', done.person)) throw new Error('No person.');
    const viewer = await viewerById(parts, done.person);
    expect(viewer).toMatchObject({ email: who.email, roles: ['owner', 'admin', 'approver'], groups: ['approver', 'data-owner'], keys: [{ id: owner.id, kind: 'browser-ed25519' }] });
    const kinds = (await parts.log.search({}, { limit: 10 })).rows.map(({ kind }) => kind).toReversed();
    expect(kinds).toEqual(['trust_root_changed', 'roster_changed', 'user_administered', 'key_enrolled', 'policy_applied']);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('pins the trust root outside the database, readable by its owner alone', async () => {
    const documents = valueOf(await prepare());
    valueOf(await completeSetUp(parts, await signed(documents)));
    const file = path.join(stateDirectory, 'pin.json');
    expect(valueOf(parsePin(await readFile(file, 'utf8'))).root_fingerprint).toBe(documents.fingerprint);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps the password only as its hash', async () => {
    valueOf(await completeSetUp(parts, await signed(valueOf(await prepare()))));
    const row = await parts.people.byEmail(who.email);
    expect(row?.password_hash).not.toContain(password);
    expect(await parts.passwords.verify(password, row?.password_hash ?? null)).toBe(true);
  });

  it('lets somebody alone approve for themselves, by a policy text that says so', async () => {
    const prepared = valueOf(await prepareSetUp(parts, { ...who, mode: 'solo', link, owner_key: listed(owner), recovery_key: listed(recovery) }));
    expect(prepared.policy.text).toContain('separation: off');
    expect(valueOf(await prepare()).policy.text).toContain('separation: required');
  });

  it('starts again after a crash between pin and commit', async () => {
    const first = await signed(valueOf(await prepare()));
    const crashing = { ...parts, pinRoot: async (pin: Parameters<ConsoleParts['pinRoot']>[0]) => { await parts.pinRoot(pin); throw new Error('power cut'); } };
    await expect(completeSetUp(crashing, first)).rejects.toThrow('power cut');
    expect(await receipts()).toBe(0);
    valueOf(await completeSetUp(parts, await signed(valueOf(await prepare()))));
    expect((await parts.inForce.refresh()).denied).toBeNull();
  });
});

describe('set-up refuses', () => {
  it('a second owner by the same link, or by a new one', async () => {
    const input = await signed(valueOf(await prepare()));
    valueOf(await completeSetUp(parts, input));
    expect(codeOf(await completeSetUp(parts, input))).toBe('set_up_done');
    expect(codeOf(await prepare())).toBe('set_up_done');
    expect(codeOf(await issueSetUpLink({ ...parts, sha256: parts.cryptography.sha256 }))).toBe('set_up_done');
  });

  it('all but one of ten at once', async () => {
    const inputs = await Promise.all(Array.from({ length: 10 }, async () => signed(valueOf(await prepare()))));
    const results = await Promise.all(inputs.map((input) => completeSetUp(parts, input)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await parts.authority.trustRoots()).toHaveLength(1);
    expect(await receipts()).toBe(5);
  });

  it.each([
    ['no link', ''],
    ['a link that was never issued', 'setup_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s', async (_what, other) => {
    const input = await signed(valueOf(await prepare()));
    expect(codeOf(await completeSetUp(parts, { ...input, link: other }))).toBe('set_up_link_invalid');
    expect(codeOf(await prepareSetUp(parts, { ...who, link: other, owner_key: listed(owner), recovery_key: listed(recovery) }))).toBe('set_up_link_invalid');
    expect(await receipts()).toBe(0);
  });

  it('a link that is over a day old', async () => {
    const input = await signed(valueOf(await prepare()));
    const tomorrow = new Date(Date.now() + 25 * 3600_000).toISOString();
    const later = { ...parts, reads: { ...parts.reads, now: async () => tomorrow } };
    expect(codeOf(await completeSetUp(later, input))).toBe('set_up_link_invalid');
  });

  it('documents signed by another key than the owner’s', async () => {
    expect(codeOf(await completeSetUp(parts, await signed(valueOf(await prepare()), generateKey())))).toBe('trust_root_invalid');
    const documents = valueOf(await prepare());
    const roster = await signText(documents.roster, generateKey());
    expect(codeOf(await completeSetUp(parts, { ...(await signed(documents)), roster }))).toBe('roster_invalid');
    const policy = await signText(documents.policy, generateKey());
    expect(codeOf(await completeSetUp(parts, { ...(await signed(documents)), policy }))).toBe('policy_signer_unknown');
  });

  it.each([
    ['trust_root', 'a service key of the signer’s own', (text: string) => text.replace(/"role":"plane"/, '"role":"console"'), 'trust_root_invalid'],
    ['trust_root', 'a longer cool-off', (text: string) => text.replace('"cool_off_seconds":0', '"cool_off_seconds":9'), 'trust_root_invalid'],
    ['roster', 'another role', (text: string) => text.replace('"owner","admin","approver"', '"owner","auditor"'), 'roster_invalid'],
    ['policy', 'another text', (text: string) => text.replace('defaults: { decision: DENY', 'defaults: { decision: ALLOW'), 'policy_altered'],
    ['policy_revision', 'another revision', (text: string) => text.replace('"revision":1', '"revision":2'), 'policy_altered'],
  ] as const)('a %s with %s, however well signed', async (part, _what, alter, code) => {
    const documents = valueOf(await prepare());
    const text = alter(documents[part].text);
    expect(text).not.toBe(documents[part].text);
    const input = { ...(await signed(documents)), [part]: await signText({ ...documents[part], text }, owner) };
    expect(codeOf(await completeSetUp(parts, input))).toBe(code);
    expect(await receipts()).toBe(0);
    expect(await parts.authority.trustRoots()).toHaveLength(0);
  });

  it('documents prepared for another name, address or way of working', async () => {
    const input = await signed(valueOf(await prepare()));
    expect(codeOf(await completeSetUp(parts, { ...input, email: 'mallory@harbor.example' }))).toBe('roster_invalid');
    expect(codeOf(await completeSetUp(parts, { ...input, mode: 'solo' }))).toBe('policy_altered');
  });

  it('to write over a workspace that this process has served and the database has lost', async () => {
    valueOf(await completeSetUp(parts, await signed(valueOf(await prepare()))));
    const { workspace } = await database.newWorkspace();
    const emptied = await testConsole({ databaseUrl: database.url, workspace, stateDirectory });
    try {
      const fresh = valueOf(await issueSetUpLink({ ...emptied.parts, sha256: parts.cryptography.sha256 })).token;
      const documents = valueOf(await prepareSetUp(emptied.parts, { ...who, link: fresh, owner_key: listed(owner), recovery_key: listed(recovery) }));
      expect(codeOf(await completeSetUp(emptied.parts, { ...(await signed(documents)), link: fresh }))).toBe('rollback_detected');
      expect((await emptied.parts.inForce.refresh()).denied).toBe('rollback_detected');
    } finally {
      await emptied.close();
    }
  });

  it('one key as both owner and recovery key', async () => {
    expect(codeOf(await prepareSetUp(parts, { ...who, link, owner_key: listed(owner), recovery_key: listed(owner) }))).toBe('invalid_input');
  });
});
