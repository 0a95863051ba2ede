import { rm } from 'node:fs/promises';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nextTrustRoot } from '@/lib/authority/next-trust-root';
import { signTrustRoot, trustRootDigest } from '@/lib/authority/sign-documents';
import type { OwnerKey, TrustRoot } from '@/lib/authority/trust-root';
import { createPool } from '@/lib/db/pool';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { envelopeText } from '@/lib/shared/dsse';
import type { Digest } from '@/lib/shared/ids';
import { ok } from '@/lib/shared/result';
import { isTimestamp } from '@/lib/shared/timestamp';
import { enrolled, listed, signText, testConsole, unreadableReceipts, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { changeRoot, type Owner } from '@/lib/testing/trust-ceremony';

import { proveNotCancelled } from '../prove-notice';
import { announceRecovery } from './announce-recovery';
import { cancelRecovery } from './cancel-recovery';
import { completeRecovery, recoveryToComplete } from './complete-recovery';
import type { ConsoleParts } from './console-parts';
import { trustView } from './views/trust-view';
import { withdrawCeremony } from './withdraw-ceremony';

const day = 24 * 3600_000;

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Owner;
let abe: Owner;
let recovery: SigningKey;
/** How far the clocks have moved, milliseconds: of this process, and of the database as the log tells it. */
let moved: { own: number; log: number };

const open = async () => {
  const clock = { now: () => new Date(Date.now() + moved.own).toISOString() };
  const joined = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory, changes: { clock } });
  const { transactor } = joined.parts;
  const later: ConsoleParts['transactor'] = { ...transactor, withHead: (work) => transactor.withHead((tx, head) => work(tx, { ...head, now: new Date(Date.parse(head.now) + moved.log).toISOString() })) };
  ({ parts, close } = { parts: { ...joined.parts, transactor: later }, close: joined.close });
};
const reopen = async () => {
  await close();
  await open();
};

beforeEach(async () => {
  moved = { own: 0, log: 0 };
  plane = await startTestPlane(planePolicy);
  await open();
  olga = { person: plane.personOf('owner'), key: plane.owner };
  const second = plane.personOf('second');
  abe = { person: second, key: await enrolled(parts, olga, second) };
  recovery = generateKey();
  await changeRoot(parts, { recovery_key: listedFile(recovery) }, olga);
}, 60_000);
afterEach(async () => {
  await close();
  await plane.stop();
});

const owners = () => [{ person: abe.person, key: listed(abe.key) }];
const rootNow = async () => valueOf(await trustView(parts)).root;

async function announced(key = recovery, heirs: readonly OwnerKey[] = owners()) {
  const at = await parts.reads.now();
  if (!isTimestamp(at)) throw new Error('No time.');
  const root = nextTrustRoot(await rootNow(), { owners: heirs }, { createdAt: at, sha256: nodeSha256 });
  const input = { owners: [...heirs], at, envelope: envelopeText(await signTrustRoot(root, [key.signer])) };
  return { input, done: await announceRecovery(parts, abe.person, input) };
}

/** As the page does it: the documents of the view, signed with this owner's key. */
async function complete(digest: Digest, by = abe) {
  const prepared = valueOf(await trustView(parts)).recoveries.find((one) => one.digest === digest);
  const given: { roster?: string; policy?: string; policy_revision?: string } = {};
  for (const name of ['roster', 'policy', 'policy_revision'] as const) {
    const one = prepared?.[name];
    if (one?.may_sign.some(({ keys }) => keys.includes(by.key.id))) given[name] = await signText(one.document, by.key);
  }
  return await completeRecovery(parts, by.person, { digest, ...given });
}

/** What somebody with the database's own rights does, past triggers and grants. */
async function asSuperuser(...statements: readonly string[]) {
  const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  const client = await pool.connect();
  await client.query("SET session_replication_role = 'replica'");
  for (const statement of statements) await client.query(statement);
  client.release();
  await pool.end();
}

describe('the recovery key', () => {
  it('replaces the owners a day after that was announced, with roster and policy as they sign them', async () => {
    const { digest } = valueOf((await announced()).done);
    expect((await parts.inForce.current()).recoveries?.map((one) => one.digest)).toEqual([digest]);
    moved = { own: day, log: day };
    expect(valueOf(await complete(digest))).toMatchObject({ state: 'in_force', version: 3 });
    expect((await rootNow()).owners.map(({ person }) => person)).toEqual([abe.person]);
    expect(await parts.inForce.refresh()).toMatchObject({ denied: null, recoveries: [] });
    expect(await unreadableReceipts(parts)).toEqual([]);
    expect(valueOf(await trustView(parts)).recovery_used).toBe(3);
    await changeRoot(parts, { recovery_key: listedFile(generateKey()) }, abe);
    expect(valueOf(await trustView(parts))).toMatchObject({ recovery_used: null, former_recovery_keys: [{ until: 1 }, { id: recovery.id, until: 3 }] });
    await reopen();
    expect((await parts.inForce.refresh()).denied).toBeNull();
    expect((await rootNow()).version).toBe(4);
  });

  it('collects what several new owners sign, each in their own browser; nothing is in force before the last has', async () => {
    const eve = { person: plane.personOf('approver'), key: generateKey() };
    const heirs = [...owners(), { person: eve.person, key: listed(eve.key) }];
    const both = [{ person: olga.person, key: listedFile(olga.key) }, ...owners()];
    await changeRoot(parts, { owners: both }, olga);
    await changeRoot(parts, { thresholds: { policy: 1, loosening: 2, root: 2 } }, olga, abe);
    expect((await announced(recovery, owners())).done).toMatchObject({ ok: false, error: { code: 'trust_root_invalid' } });
    const { digest } = valueOf((await announced(recovery, heirs)).done);
    moved = { own: day, log: day };
    expect(valueOf(await complete(digest))).toMatchObject({ state: 'waiting', lacks: ['the roster', 'the policy', 'the revision of the policy'] });
    expect((await rootNow()).version).toBe(4);
    expect(valueOf(await trustView(parts)).recoveries).toMatchObject([{ digest, roster: { needed: 2, signed: [{ person: abe.person }] } }]);
    expect(await withdrawCeremony(parts, digest)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await completeRecovery(parts, eve.person, { digest })).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
    expect(valueOf(await complete(digest, eve))).toMatchObject({ state: 'in_force', version: 5 });
    expect(await unreadableReceipts(parts)).toEqual([]);
    // The roster does not call her an owner yet; the root does, so that she can sign one that says so.
    expect(await viewerById(parts, eve.person)).toMatchObject({ roles: ['approver'], permissions: expect.arrayContaining(['roster.sign', 'trust_root.sign']) });
  }, 30_000);

  it('waits for both clocks: the log’s, and that of this state directory from when it first saw it', async () => {
    const { digest } = valueOf((await announced()).done);
    moved = { own: day, log: day - 60_000 };
    expect(await complete(digest)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    moved = { own: day - 60_000, log: day };
    await reopen();
    expect(await complete(digest)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect((await rootNow()).version).toBe(2);
  });

  it('does nothing once an owner has cancelled, and what was cancelled is not announced again', async () => {
    const { input, done } = await announced();
    const { digest } = valueOf(done);
    expect(await cancelRecovery(parts, abe.person, digest)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    valueOf(await cancelRecovery(parts, olga.person, digest));
    expect((await parts.inForce.current()).recoveries).toEqual([]);
    expect(valueOf(await trustView(parts)).recoveries).toEqual([]);
    expect(await announceRecovery(parts, abe.person, input)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    moved = { own: day, log: day };
    expect(await recoveryToComplete(parts, digest)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('is the only key that announces, and only other owners', async () => {
    expect((await announced(generateKey())).done).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
    const at = await parts.reads.now();
    if (!isTimestamp(at)) throw new Error('No time.');
    const root = nextTrustRoot(await rootNow(), { owners: owners(), cool_off_seconds: 0 }, { createdAt: at, sha256: nodeSha256 });
    const wider = { ...root, cool_off_seconds: root.cool_off_seconds + 5 };
    const input = { owners: owners(), at, envelope: envelopeText(await signTrustRoot(wider, [recovery.signer])) };
    expect(await announceRecovery(parts, abe.person, input)).toMatchObject({ ok: false, error: { code: 'signature_invalid' } });
  });
});

describe('somebody with the database', () => {
  it('does not get a cancelled recovery through by taking the cancellation out of the log', async () => {
    const { digest } = valueOf((await announced()).done);
    valueOf(await cancelRecovery(parts, olga.person, digest));
    await asSuperuser("DELETE FROM receipts WHERE kind = 'recovery_cancelled'");
    await reopen();
    moved = { own: day, log: day };
    await parts.inForce.refresh();
    expect((await parts.inForce.current()).recoveries ?? []).toEqual([]);
    expect((await completeRecovery(parts, abe.person, { digest })).ok).toBe(false);
  });

  it('does not hide a cancellation from a process that never saw it: the leaves no longer lead to the head', async () => {
    const { digest } = valueOf((await announced()).done);
    const seen = (await parts.inForce.current()).recoveries?.find((one) => one.digest === digest);
    valueOf(await cancelRecovery(parts, olga.person, digest));
    const { rows } = await parts.log.search({ kind: 'recovery_cancelled' }, { limit: 1 });
    const { rows: others } = await parts.log.search({ kind: 'roster_changed' }, { limit: 1 });
    await asSuperuser(`UPDATE receipts SET kind = 'roster_changed', envelope = (SELECT envelope FROM receipts WHERE index = ${String(others[0]?.index)}) WHERE index = ${String(rows[0]?.index)}`);
    const head = await parts.log.head();
    const { root } = await parts.inForce.refresh();
    if (!seen || !root) throw new Error('Nothing was seen.');
    const proved = await proveNotCancelled(parts, seen, Number(head.size) - 1, { size: Number(head.size), root: head.root }, root.root);
    expect(proved).toMatchObject({ ok: false, error: { code: 'ledger_broken' } });
  });

  it('does not crowd a cancellation out with copies of other receipts, before a process that never saw it', async () => {
    const { digest } = valueOf((await announced()).done);
    valueOf(await cancelRecovery(parts, olga.person, digest));
    await asSuperuser(`INSERT INTO receipts SELECT (jsonb_populate_record(r, jsonb_build_object('index', 10000 + n, 'id', r.id || n, 'envelope', o.envelope))).*
      FROM receipts AS r, receipts AS o, generate_series(1, 1100) AS n WHERE r.kind = 'recovery_cancelled' AND o.index = 0`);
    await rm(path.join(plane.stateDirectory, 'recoveries.json'));
    await reopen();
    expect((await parts.inForce.refresh()).recoveries).toEqual([]);
  });

  it('does not shorten the day with an announcement that says it is old', async () => {
    const root = nextTrustRoot(await rootNow(), { owners: owners() }, { createdAt: '2026-01-01T00:00:00.000Z', sha256: nodeSha256 });
    const digest = await told(root, -2 * day);
    expect((await parts.inForce.refresh()).recoveries?.map((one) => one.digest)).toEqual([digest]);
    moved = { own: 3600_000, log: 0 };
    expect(await complete(digest)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });

  it('brings no announcement back that an owner had cancelled, although the log tells it once more', async () => {
    const root = nextTrustRoot(await rootNow(), { owners: owners() }, { createdAt: '2026-01-01T00:00:00.000Z', sha256: nodeSha256 });
    const digest = await told(root, 0);
    await parts.inForce.refresh();
    valueOf(await cancelRecovery(parts, olga.person, digest));
    await told(root, 0);
    await reopen();
    moved = { own: day, log: day };
    expect((await parts.inForce.refresh()).recoveries).toEqual([]);
    expect(await recoveryToComplete(parts, digest)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});

/** An announcement by the service's key and no use case, at another time than it is. */
async function told(root: TrustRoot, shift: number) {
  const digest = trustRootDigest(root, nodeSha256);
  const envelope = await signTrustRoot(root, [recovery.signer]);
  await parts.transactor.withHead(async (tx, { now }) => {
    const at = new Date(Date.parse(now) + shift).toISOString();
    if (root.previous === null) throw new Error('A first root.');
    await parts.ledger.append(tx, [await parts.sign('recovery_announced', at, { version: root.version, digest, previous_digest: root.previous, by: { kind: 'person', id: abe.person }, envelope }, { person: abe.person })]);
    return ok(null);
  });
  return digest;
}
