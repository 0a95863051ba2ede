import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { signStatement } from '@/lib/authority/owner-statements';
import type { ChangeClass } from '@/lib/authority/policy-revision';
import type { RosterChange } from '@/lib/contracts/console/roster';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { generateKey, verifyEd25519, type SigningKey } from '@/lib/server/ed25519';
import { filePinStore } from '@/lib/server/file-pin-store';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { consoleStatus } from '@/lib/services/console/views/console-status';
import { policiesView } from '@/lib/services/console/views/policies-view';
import { completeRosterChange } from '@/lib/services/console/complete-roster-change';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { prepareRosterChange } from '@/lib/services/console/prepare-roster-change';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { keyId, type ProposalId } from '@/lib/shared/ids';
import { isTimestamp } from '@/lib/shared/timestamp';
import { changeTrustRoot } from '@/lib/testing/change-trust-root';
import { changeRoster, codeOf, listed, signText, testConsole, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { runCli } from '@/lib/testing/run-cli';
import { newestRevision, signRevision, writeRevision, type WrittenRevision } from '@/lib/testing/write-revision';

import { authorityInForce, type AuthorityInForce } from './authority-in-force';
import { judgeHere, type JudgeChange } from './judge-change';
import { receiptSigner } from './sign-receipt';

let plane: TestPlane;
let parts: ConsoleParts;
const closing: (() => Promise<void>)[] = [];
const ben = generateKey();

const allow = (operation: string): string => `  - id: open-${operation}\n    match: { tool: files, operation: ${operation} }\n    action: ALLOW\n`;
const deny = (operation: string): string => `  - id: shut-${operation}\n    match: { tool: notes, operation: ${operation} }\n    action: DENY\n`;

/** A process of its own: another pin file, nothing in memory. */
function anotherProcess(role: string, more: { readonly judge?: JudgeChange; readonly clock?: { readonly now: () => string } } = {}): AuthorityInForce {
  return authorityInForce({
    authority: plane.stores.authority, credentials: plane.stores.credentials, log: plane.stores.log,
    pins: filePinStore({ stateDirectory: plane.stateDirectory, role, rootPin: undefined }),
    cryptography: { verify: verifyEd25519, sha256: nodeSha256 }, compile: compilePolicyText, ...more,
  });
}

const newest = () => newestRevision(plane);
const signedRevision = (text: string, signers: readonly SigningKey[], more: WrittenRevision = {}) => signRevision(plane, text, signers, more);
const write = (text: string, signers: readonly SigningKey[], more: WrittenRevision & { readonly receipt?: boolean } = {}) => writeRevision(plane, text, signers, more);

/** What the log keeps of owners who sign a proposal that puts one text in the place of another. Gives the log time. */
async function signedProposal(proposal: ProposalId, before: string, after: string, signers: readonly SigningKey[]): Promise<string> {
  const [base_digest, digest] = [digestOf(nodeSha256, utf8(before)), digestOf(nodeSha256, utf8(after))];
  const { root } = await parts.inForce.current();
  const consoleKey = await ownServiceKey(plane.stateDirectory, 'console');
  const sign = receiptSigner({ workspace: plane.workspace, sha256: nodeSha256, signer: consoleKey.signer, ids: randomIds() });
  return await plane.stores.transactor.withHead(async (tx, { now }) => {
    if (!isTimestamp(now)) throw new Error('No time.');
    for (const key of signers) {
      const person = root?.root.owners.find((owner) => owner.key.id === key.id)?.person;
      if (!person) throw new Error('Not an owner.');
      const envelope = await signStatement('proposal_signature', plane.workspace, { steps: [{ proposal, base_digest, digest, class: 'loosen', proof_digest: digest }] }, now, [key.signer]);
      const body = { proposal, base_digest, digest, change: 'loosen', proof_digest: digest, person, key: { id: keyId(key.id), kind: 'file-ed25519' }, self_signed: false, envelope } as const;
      await plane.stores.ledger.append(tx, [await sign('policy_signed', now, body, { person })]);
    }
    return now;
  });
}

const inForce = async (one: AuthorityInForce): Promise<{ readonly revision: number | undefined; readonly refused: string | undefined }> => {
  const { policy, refusal } = await one.refresh();
  return { revision: policy?.revision, refused: refusal?.code };
};

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  const opened = await testConsole(plane);
  parts = opened.parts;
  closing.push(opened.close);
  const olga = { person: plane.personOf('owner'), key: plane.owner };
  await changeRoster(parts, olga, { kind: 'set_person', person: plane.personOf('approver'), roles: ['owner'], groups: [] });
  // Signed by both before the second is an owner: a signature that does not count yet does no harm, and counts then.
  const change: RosterChange = { kind: 'set_person', person: plane.personOf('requester'), roles: ['requester'], groups: ['signed-anew'] };
  const roster = await signText(valueOf(await prepareRosterChange(parts, change)).roster, olga.key, ben);
  valueOf(await completeRosterChange(parts, olga.person, { change, roster }));
  await changeTrustRoot(plane, (before) => nextTrustRoot(
    before,
    { owners: [...before.owners, { person: plane.personOf('approver'), key: listed(ben) }], thresholds: { ...before.thresholds, policy: 1, loosening: 2 } },
    { sha256: nodeSha256, createdAt: new Date().toISOString() },
  ));
  await parts.inForce.refresh();
  // The first revision was signed by one owner, when one was enough; both sign the next.
  await write(`${planePolicy}${allow('list')}`, [plane.owner, ben], { change: 'loosen' });
}, 120_000);
afterAll(async () => {
  for (const close of closing) await close();
  await plane.stop();
});

describe('the class of a change, found out by every process that loads it', { timeout: 60_000 }, () => {
  it('a tightening that one owner signed is served', async () => {
    const revision = await write(`${(await newest()).text}${deny('write')}`, [plane.owner]);
    expect(await inForce(anotherProcess('one'))).toEqual({ revision, refused: undefined });
  });

  it('the console counts signatures against what the class asks for that was found out, or that a receipt states', async () => {
    await write(`${(await newest()).text}${allow('move')}`, [plane.owner], { receipt: false });
    const refused = (await newest()).revision;
    await write(planePolicy, [plane.owner, ben], { change: 'loosen' });
    const revision = await write(`${planePolicy}${deny('write')}`, [plane.owner]);
    const own = await testConsole(plane);
    closing.push(own.close);
    expect((await consoleStatus(own.parts)).policy).toMatchObject({ revision, signers: ['Olga Owner'], needed: 1 });
    expect((await policiesView(own.parts)).revisions.slice(0, 3)).toMatchObject([
      { revision, signers: ['Olga Owner'], needed: 1, in_force: true },
      { signers: ['Olga Owner', 'Abe Approver'], needed: 2, verification: { state: 'verified' } },
      { revision: refused, signers: [], needed: 2, verification: { state: 'refused', code: 'policy_signers_too_few' } },
    ]);
  });

  it('a loosening that one owner signed is served by nobody, whatever its row, its statement and its receipt call it', async () => {
    const last = (await newest()).revision;
    await write(`${(await newest()).text}${allow('read')}`, [plane.owner], { change: 'tighten' });
    expect(await inForce(anotherProcess('two'))).toEqual({ revision: last, refused: 'policy_signers_too_few' });
    expect(await inForce(parts.inForce)).toEqual({ revision: last, refused: 'policy_signers_too_few' });
    const session = await plane.openSession('Read it.');
    expect((await plane.call(plane.token('helper'), 'POST', '/v1/actions', { session, tool: 'files', operation: 'read', parameters: { path: '/srv/a' } })).body).toMatchObject({ decision: 'DENY' });
  });

  it('a base that was looser, and is not in force, makes no loosening a tightening', async () => {
    const [, good] = await plane.stores.authority.policies(2);
    const loose = `${planePolicy}${allow('read')}${allow('write')}`;
    await write(`${planePolicy}${allow('read')}`, [plane.owner], { base: loose });
    expect((await inForce(anotherProcess('three'))).revision).toBe(good?.revision);
  });

  it('the same change is served once both owners have signed', async () => {
    const revision = await write(`${(await newest()).text}${allow('delete')}`, [plane.owner, ben], { change: 'loosen' });
    expect(await inForce(anotherProcess('four'))).toEqual({ revision, refused: undefined });
  });

  it('a process that serves goes on with the last revision while the next one is judged, and takes it up then by itself', async () => {
    let answer: (change: ChangeClass) => void = () => undefined;
    const process = anotherProcess('five', { judge: () => new Promise((resolve) => (answer = resolve)) });
    const { revision: last } = await inForce(process);
    const revision = await write(`${(await newest()).text}${deny('read')}`, [plane.owner]);
    expect(await inForce(process)).toEqual({ revision: last, refused: 'policy_being_judged' });
    answer('tighten');
    await expect.poll(async () => (await process.current()).policy?.revision).toBe(revision);
  });

  it('a process that starts finds the base of a long row of tightenings, and serves the newest', async () => {
    let revision = 0;
    for (let at = 0; at < 25; at++) revision = await write(`${(await newest()).text}${deny(`op-${String(at)}`)}`, [plane.owner]);
    expect(await inForce(anotherProcess('long-row'))).toEqual({ revision, refused: undefined });
  });

  it('a judge that fails leaves the most signatures to be asked for', async () => {
    const { revision: last } = await inForce(anotherProcess('six'));
    await write(`${(await newest()).text}${deny('list')}`, [plane.owner]);
    const failing = await inForce(anotherProcess('seven', { judge: () => Promise.reject(new Error('no memory')) }));
    expect(failing.refused).toBe('policy_signers_too_few');
    expect(failing.revision).toBeLessThanOrEqual(last ?? 0);
    expect((await inForce(anotherProcess('eight', { judge: judgeHere(compilePolicyText) }))).refused).toBeUndefined();
  });
});

describe('a file with detached signatures', { timeout: 60_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-class-'));
    for (const [name, key] of [['olga', plane.owner], ['ben', ben]] as const) await writeFile(path.join(folder, name), key.pem);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** "policy sign" and "policy verify", then "policy apply". */
  const applied = async (text: string, ...by: readonly string[]) => {
    const file = path.join(folder, 'next.yaml');
    await writeFile(file, text);
    const keys = by.flatMap((name) => ['--key', path.join(folder, name)]);
    const cli = (...args: readonly string[]) => runCli({ DATABASE_URL: plane.databaseUrl, COUNTERSIGN_STATE: plane.stateDirectory }, 'policy', ...args);
    expect(await cli('sign', file, ...keys)).toMatchObject({ code: 0 });
    const verified = await cli('verify', file);
    const said = await cli('apply', file, ...keys);
    expect(verified.code).toBe(said.code);
    return said.out + said.err;
  };

  it('needs one owner’s where it tightens, two where it does not, and is served by others then', async () => {
    const last = await write(planePolicy, [plane.owner, ben], { change: 'loosen' });
    expect(await applied(`${planePolicy}${deny('write')}`, 'olga')).toContain(`Revision ${String(last + 1)} is in force`);
    const [{ envelope } = { envelope: '' }] = (await plane.stores.log.search({ kind: 'policy_applied' }, { limit: 1 })).rows;
    expect(Buffer.from(JSON.parse(envelope).payload, 'base64').toString()).toContain('"change":"tighten"');
    expect(await inForce(anotherProcess('file-one'))).toEqual({ revision: last + 1, refused: undefined });
    expect(await applied(`${planePolicy}${allow('read')}`, 'olga')).toContain('policy_signers_too_few: 1 of 2');
    expect((await newest()).revision).toBe(last + 1);
    expect(await applied(`${planePolicy}${allow('read')}`, 'olga', 'ben')).toContain(`Revision ${String(last + 2)} is in force`);
    expect(await inForce(anotherProcess('file-two'))).toEqual({ revision: last + 2, refused: undefined });
  });
});

describe('a cool-off', { timeout: 60_000 }, () => {
  const hours = (n: number) => ({ now: () => new Date(Date.now() + n * 3_600_000).toISOString() });

  beforeAll(async () => {
    await changeTrustRoot(plane, (before) => nextTrustRoot(before, { cool_off_seconds: 3600 }, { sha256: nodeSha256, createdAt: new Date().toISOString() }));
  });

  it('is gone around by no signed file and no roll-back: only the text in force may be signed anew', async () => {
    const { text, revision } = await newest();
    const apply = async (next: string, origin: 'file' | 'rollback') => {
      const { signature, statement } = await signedRevision(next, [plane.owner, ben]);
      return await applySignedRevision(parts, { kind: 'service', id: 'cli' }, { text: next, format: 'yaml', signature, statement, origin });
    };
    for (const next of [`${text}${allow('file')}`, `${text}${deny('file')}`]) {
      expect(codeOf(await apply(next, 'file'))).toBe('cool_off_runs');
      expect(codeOf(await apply(next, 'rollback'))).toBe('cool_off_runs');
      expect(codeOf(await preparePolicy(parts, { text: next, format: 'yaml' }))).toBe('cool_off_runs');
    }
    expect((await newest()).revision).toBe(revision);
    expect(valueOf(await apply(text, 'file')).revision).toBe(revision + 1);
  });

  it('keeps a loosening out of every process until it is over, also after a restart, and lets it in then', async () => {
    const later = hours(2);
    const last = (await inForce(anotherProcess('cool-before', { clock: later }))).revision;
    const revision = await write(`${(await newest()).text}${allow('share')}`, [plane.owner, ben], { change: 'tighten' });
    for (const role of ['cool-one', 'cool-one', 'cool-two']) expect((await inForce(anotherProcess(role))).revision).not.toBe(revision);
    expect(await inForce(anotherProcess('cool-soon', { clock: hours(0.9) }))).toMatchObject({ refused: 'cool_off_runs' });
    expect(await inForce(anotherProcess('cool-three', { clock: later }))).toEqual({ revision, refused: undefined });
    expect(last).toBe(revision - 1);
  });

  it('ends for a process that runs, without anything else happening', async () => {
    let ahead = 0;
    const process = anotherProcess('cool-running', { clock: { now: () => new Date(Date.now() + ahead).toISOString() } });
    const [row] = await plane.stores.authority.policies(1);
    expect((await process.current()).policy?.revision).not.toBe(row?.revision);
    ahead = 2 * 3_600_000;
    expect((await process.current()).policy?.revision).toBe(row?.revision);
  });

  it('does not keep a tightening', async () => {
    const revision = await write(`${(await newest()).text}${deny('share')}`, [plane.owner]);
    expect((await inForce(anotherProcess('cool-four', { clock: hours(2) }))).revision).toBe(revision);
  });

  it('runs anew when the same text replaces the same base again, whatever was signed for it before', async () => {
    const narrow = (await newest()).text;
    const wide = narrow.replace('to: 10 }', 'to: 1000 }');
    expect(wide).not.toBe(narrow);
    const [first, second] = [randomIds().make('proposal'), randomIds().make('proposal')];
    const signed = await signedProposal(first, narrow, wide, [plane.owner, ben]);
    await write(wide, [plane.owner, ben], { change: 'loosen', receipt: false, proposal: first });
    const clock = { now: () => new Date(Date.parse(signed) + 24 * 3_600_000).toISOString() };
    expect((await inForce(anotherProcess('again-one', { clock }))).refused).toBeUndefined();
    await write(narrow, [plane.owner, ben]);
    const { revision } = await inForce(anotherProcess('again-two', { clock }));
    await write(wide, [plane.owner, ben], { change: 'loosen', receipt: false, proposal: second });
    expect(await inForce(anotherProcess('again-three', { clock }))).toEqual({ revision, refused: 'cool_off_runs' });
    await signedProposal(second, narrow, wide, [plane.owner, ben]);
    expect(await inForce(anotherProcess('again-four', { clock }))).toEqual({ revision: (revision ?? 0) + 1, refused: undefined });
  });

  it('never ends for a revision of which the log knows nothing', async () => {
    const last = (await newest()).revision;
    await write((await newest()).text.replace('defaults: { decision: DENY', 'defaults: { decision: ALLOW'), [plane.owner, ben], { receipt: false });
    expect(await inForce(anotherProcess('cool-five', { clock: hours(1000) }))).toEqual({ revision: last, refused: 'cool_off_runs' });
  });
});
