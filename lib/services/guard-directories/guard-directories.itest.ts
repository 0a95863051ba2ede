import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import { createPool } from '@/lib/db/pool';
import type { GuardDirectories } from '@/lib/ports/guard-directories';
import type { ListedProposal } from '@/lib/ports/proposal-store';
import { applyInDirectory } from '@/lib/server/guard-directory/apply-in-directory';
import { allowlistDigests, attachedGuards } from '@/lib/server/guard-directory/attached-guards';
import { initGuardDirectory } from '@/lib/server/guard-directory/init-guard-directory';
import { withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';
import { rejectInDirectory } from '@/lib/server/guard-directory/reject-in-directory';
import { requestPermission } from '@/lib/server/guard-directory/request-permission';
import { nodeSha256 } from '@/lib/server/node-sha256';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { editRefuser } from '@/lib/services/refuse-edit';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { Digest } from '@/lib/shared/ids';
import { testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';
import { signedBy, type Signatory } from '@/lib/testing/proposing';

import { applyProposal } from '../proposals/apply-proposal';
import { rejectProposal } from '../proposals/end-proposal';
import { followGuardDirectory } from './follow-guard-directory';

let plane: TestPlane;
let base: ConsoleParts;
let parts: ConsoleParts;
let olga: Signatory;
let close: () => Promise<void>;
let folder: string;
let state: string;
let number = 0;

const owner = process.geteuid?.() ?? -1;
const agent = owner + 1;
/** A name of its own each time: directories of earlier tests have ended proposals in the same log. */
const name = (): string => `guard-${String(number)}`;
const now = () => new Date().toISOString();

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  const joined = await testConsole(plane);
  base = joined.parts;
  close = joined.close;
  olga = { person: plane.personOf('owner'), key: plane.owner };
  folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'countersign-guards-'));
});
afterAll(async () => {
  await close();
  await plane.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  number += 1;
  state = path.join(folder, name());
  valueOf(initGuardDirectory({ state, ownerUid: owner, agentUid: agent, at: now() }));
  parts = { ...base, guards: attachedGuards([{ name: name(), path: state }], owner) };
});

const allowlistFile = () => path.join(state, 'managed', 'allowlist.json');
const allowlist = () => JSON.parse(fs.readFileSync(allowlistFile(), 'utf8')) as { readonly revision: number; readonly allowlist: readonly string[] };
const digest = (): Digest => createHash('sha256').update(fs.readFileSync(allowlistFile())).digest('hex') as Digest;
/** Dropped by the owner's own user: these tests have one. What two users can do to each other is tested at the command line. */
const ask = (permission: string) => valueOf(withGuardDirectory(state, (directory) => requestPermission(directory, { permission, reason: 'For the report.', caller: owner, at: now() })));
const follow = async (using: ConsoleParts = parts) => valueOf(await followGuardDirectory(using, name()));
const rows = async (): Promise<readonly ListedProposal[]> => {
  const all = [...(await parts.proposals.list('live', 500)), ...(await parts.proposals.list('ended', 500))];
  return all.filter((row) => row.maker_id.startsWith(`${name()}/`));
};
const only = async (): Promise<ListedProposal> => {
  const [row, ...more] = await rows();
  if (!row || more.length > 0) throw new Error(`${String(more.length + (row ? 1 : 0))} proposals.`);
  return row;
};
const filed = async (permission: string): Promise<ListedProposal> => {
  ask(permission);
  await follow();
  return await only();
};
const receiptsOf = async (kind: ReceiptKind, id: string) => {
  const found = (await parts.log.search({ kind }, { limit: 200 })).rows;
  return found.map((row) => valueOf(readStatement(nodeSha256, valueOf(parseEnvelope(row.envelope)))).predicate).filter((predicate) => 'proposal' in predicate && predicate.proposal === id);
};
const inInbox = () => fs.readdirSync(path.join(state, 'inbox'));
const receiptInDirectory = (id: Digest) => JSON.parse(fs.readFileSync(path.join(state, 'managed', `receipt-${id}.json`), 'utf8')) as Record<string, unknown>;
const withGuards = (changes: Partial<GuardDirectories>): ConsoleParts => ({ ...parts, guards: { ...parts.guards, ...changes } });

describe('an attached guard directory', () => {
  it('has each file of its inbox taken up once, with what it changes, and nothing else changes by it', async () => {
    const before = digest();
    const row = await filed('export-report');
    await follow();
    expect((await only()).id).toBe(row.id);
    expect(row).toMatchObject({ target: 'allowlist', origin: 'guard_directory', state: 'open', maker_id: `${name()}/uid-${String(owner)}`, base_revision: 1, base_digest: before, reason: 'For the report.' });
    expect(await receiptsOf('policy_proposed', row.id)).toMatchObject([{ target: 'allowlist', digest: row.digest, base: { revision: 1, digest: before } }]);
    expect(await receiptsOf('policy_proved', row.id)).toMatchObject([{ change: 'loosen', applicable: true }]);
    expect(digest()).toBe(before);
    expect(inInbox()).toEqual(['proposal.json']);
  });

  it('gets what an owner signed, with receipts in both places that name each other, and both verify offline', async () => {
    const before = digest();
    const row = await filed('export-report');
    expect(valueOf(await signedBy(parts, olga, [row.id])).steps).toMatchObject([{ applied: true, revision: 2 }]);
    expect(allowlist()).toMatchObject({ revision: 2, allowlist: ['export-report', 'inspect-status'] });
    expect(await only()).toMatchObject({ state: 'applied' });
    const [receipt] = await receiptsOf('allowlist_applied', row.id);
    expect(receipt).toMatchObject({ directory: name(), permission: 'export-report', revision: 2, base_digest: before, allowlist_digest: digest(), digest: row.digest, by: { kind: 'person', id: olga.person } });
    expect(receiptInDirectory(row.digest)).toMatchObject({
      result: 'APPLIED', allowlist_sha256_before: before, allowlist_sha256_after: digest(),
      signed: { workspace: parts.workspace, proposal: row.id, envelope: receipt && 'envelope' in receipt ? receipt.envelope : null },
    });
    expect(inInbox()).toEqual([]);
    expect(await unreadableReceipts(parts)).toEqual([]);
    const report = await verdictOfLog(parts, plane.provisioned);
    expect(report.checks.filter(({ state: how }) => how === 'fail')).toEqual([]);
  });

  it('has a proposal of its own for the same file in another directory', async () => {
    const twin = path.join(folder, `${name()}-twin`);
    ask('export-report');
    fs.cpSync(state, twin, { recursive: true, preserveTimestamps: true });
    const both = { ...parts, guards: attachedGuards([{ name: name(), path: state }, { name: `${name()}-twin`, path: twin }], owner) };
    await follow(both);
    valueOf(await followGuardDirectory(both, `${name()}-twin`));
    const [here, there] = (await parts.proposals.list('live', 500)).filter(({ maker_id }) => maker_id.startsWith(name()));
    expect(here?.digest).toBe(there?.digest);
    expect(here?.id).not.toBe(there?.id);
    valueOf(await signedBy(both, olga, [(await only()).id]));
    expect(allowlist().revision).toBe(2);
    expect(JSON.parse(fs.readFileSync(path.join(twin, 'managed', 'allowlist.json'), 'utf8'))).toMatchObject({ revision: 1 });
  });

  it('keeps every proposal but one stale when two wait on the same revision', async () => {
    ask('a');
    ask('b');
    await follow();
    const [first, second] = await rows();
    if (!first || !second) throw new Error('Two were asked for.');
    valueOf(await signedBy(parts, olga, [first.id]));
    await follow();
    expect((await rows()).find(({ id }) => id === second.id)).toMatchObject({ state: 'stale' });
    expect(allowlist().revision).toBe(2);
  });
});

describe('a console that dies', () => {
  const dead = (): never => {
    throw new Error('The process was killed here.');
  };

  it('after an owner signed and before the directory was touched, goes on from the signatures', async () => {
    const row = await filed('export-report');
    await expect(signedBy(withGuards({ apply: dead }), olga, [row.id])).rejects.toThrow('killed');
    expect(await only()).toMatchObject({ state: 'signed' });
    expect(allowlist().revision).toBe(1);
    await follow();
    expect(await only()).toMatchObject({ state: 'applied' });
    expect(allowlist().revision).toBe(2);
  });

  it('after the directory was changed and before the log says so, writes it down once, and applies nothing again', async () => {
    const row = await filed('export-report');
    let applied = false;
    const dying = { ...withGuards({ apply: (...args) => { applied = true; return parts.guards.apply(...args); } }), transactor: { ...parts.transactor, withHead: ((work: never) => (applied ? dead() : parts.transactor.withHead(work))) as typeof parts.transactor.withHead } };
    await expect(signedBy(dying, olga, [row.id])).rejects.toThrow('killed');
    expect(allowlist().revision).toBe(2);
    expect(await receiptsOf('allowlist_applied', row.id)).toEqual([]);
    await follow();
    await follow();
    expect(await receiptsOf('allowlist_applied', row.id)).toMatchObject([{ revision: 2, allowlist_digest: digest(), by: { kind: 'service', id: 'console' } }]);
    expect(allowlist().revision).toBe(2);
  });

  it('between the allowlist and the directory’s own receipt, makes up for both', async () => {
    const row = await filed('export-report');
    await expect(signedBy(withGuards({ apply: (...args) => { parts.guards.apply(...args); return dead(); } }), olga, [row.id])).rejects.toThrow('killed');
    fs.rmSync(path.join(state, 'managed', `receipt-${row.digest}.json`), { force: true });
    await follow();
    expect(await only()).toMatchObject({ state: 'applied' });
    expect(receiptInDirectory(row.digest)).toMatchObject({ result: 'APPLIED', signed: { proposal: row.id } });
  });

  it('after a proposal was turned down and before the directory knows, tells it', async () => {
    const row = await filed('drop-tables');
    valueOf(await rejectProposal(parts, { kind: 'person', id: olga.person }, row.id, 'Never.'));
    expect(inInbox()).toEqual(['proposal.json']);
    await follow();
    expect(receiptInDirectory(row.digest)).toMatchObject({ result: 'REJECTED', reason: 'Never.' });
    expect(inInbox()).toEqual([]);
  });
});

describe('what happens in the directory without the console', () => {
  it('an owner’s own command ends the proposal here, and the log says that nobody signed it here', async () => {
    const row = await filed('export-report');
    valueOf(withGuardDirectory(state, (directory) => applyInDirectory(directory, { id: row.digest, caller: owner, at: now() })));
    await follow();
    expect(await only()).toMatchObject({ state: 'stale', end: { ended_reason: expect.stringContaining('without a signature here') } });
    expect(await receiptsOf('allowlist_applied', row.id)).toEqual([]);
  });

  it('a rejection there is one here, with its reason', async () => {
    const row = await filed('export-report');
    valueOf(withGuardDirectory(state, (directory) => rejectInDirectory(directory, { id: row.digest, reason: 'Not this year.', caller: owner, at: now() })));
    await follow();
    expect(await only()).toMatchObject({ state: 'rejected', end: { ended_reason: 'Not this year.' } });
  });

  it('an agent that takes its file back has withdrawn', async () => {
    await filed('export-report');
    fs.rmSync(path.join(state, 'inbox', 'proposal.json'));
    await follow();
    expect(await only()).toMatchObject({ state: 'withdrawn' });
  });

  it('a console that does not run as the owner takes nothing up and applies nothing', async () => {
    ask('export-report');
    await follow({ ...parts, guards: attachedGuards([{ name: name(), path: state }], owner + 5) });
    expect(await rows()).toEqual([]);
  });
});

describe('an attempt of an agent to edit at the plane', () => {
  it('is answered with the SHA-256 of each attached allowlist, the same before and after', async () => {
    const read = allowlistDigests([{ name: name(), path: state }, { name: 'gone', path: path.join(folder, 'gone') }]);
    expect(read).toEqual([{ name: name(), digest: digest() }, { name: 'gone', digest: null }]);
    const refused: { readonly receipts: readonly unknown[] }[] = [];
    const refuse = editRefuser(
      {
        authority: { ...parts.inForce, refresh: parts.inForce.refresh }, clock: { now }, ids: parts.ids, sign: parts.sign, allowlists: () => allowlistDigests([{ name: name(), path: state }]),
        commits: { submit: async (commit: { readonly receipts: readonly unknown[] }) => void refused.push(commit) },
      } as never,
      { file: async () => ({ ok: false, error: { code: 'forbidden', detail: '' } }), fileGrant: async () => ({ ok: false, error: { code: 'forbidden', detail: '' } }) },
    );
    const answer = await refuse({ kind: 'agent', subject: 'helper' } as never, 'PUT', '/v1/settings', undefined);
    expect(answer).toMatchObject({ ok: false, error: { code: 'refused_direct_edit', detail: expect.stringContaining(`That of allowlist ${name()} is ${digest()} before and ${digest()} after.`) } });
    expect(refused).toHaveLength(1);
  });
});

describe('with the database in an attacker’s hands', () => {
  const sql = async (text: string, ...values: readonly string[]): Promise<void> => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    try {
      await pool.query(text, [...values]);
    } finally {
      await pool.end();
    }
  };

  it('a row that says that it is signed applies nothing', async () => {
    const row = await filed('export-report');
    await sql(`UPDATE "proposals" SET "state" = 'signed' WHERE "id" = $1`, row.id);
    await follow();
    expect(allowlist().revision).toBe(1);
    expect(await applyProposal(parts, { kind: 'person', id: olga.person }, row.id)).toMatchObject({ ok: false, error: { code: 'policy_signers_too_few' } });
  });

  it('no row leads what was signed into another directory, and none attaches one', async () => {
    const row = await filed('export-report');
    const other = path.join(folder, `${name()}-other`);
    fs.cpSync(state, other, { recursive: true });
    const both = { ...parts, guards: attachedGuards([{ name: name(), path: state }, { name: 'other', path: other }], owner) };
    await sql(`UPDATE "proposals" SET "maker_id" = $2 WHERE "id" = $1`, row.id, `other/uid-${String(owner)}`);
    expect(await signedBy(both, olga, [row.id])).toMatchObject({ ok: false, error: { code: 'proposal_altered' } });
    expect(await applyProposal(both, { kind: 'person', id: olga.person }, row.id)).toMatchObject({ ok: false, error: { code: 'proposal_altered' } });
    expect(JSON.parse(fs.readFileSync(path.join(other, 'managed', 'allowlist.json'), 'utf8'))).toMatchObject({ revision: 1 });
    expect(allowlist().revision).toBe(1);
    expect(both.guards.look('elsewhere')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});
