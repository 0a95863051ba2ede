import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { viewerOf } from '@/lib/auth/viewer-of';
import { signRoster, signTrustRoot } from '@/lib/authority/sign-documents';
import { permissionsByRole } from '@/lib/authority/roles';
import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { enrolKey } from '@/lib/services/console/enrol-key';
import { invitePerson } from '@/lib/services/console/invite-person';
import { prepareRosterChange } from '@/lib/services/console/prepare-roster-change';
import { completeRosterChange } from '@/lib/services/console/complete-roster-change';
import { trustBase } from '@/lib/services/console/trust-base';
import { signKeyEnrolment } from '@/lib/authority/key-enrolment';
import { envelopeText } from '@/lib/shared/dsse';
import { changeRoster, listed, signText, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { changeRoot, type Owner } from '@/lib/testing/trust-ceremony';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Owner;

beforeEach(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  ({ parts, close } = await testConsole(plane));
  olga = { person: plane.personOf('owner'), key: plane.owner };
}, 90_000);
afterEach(async () => {
  await close();
  await pool.end();
  await plane.stop();
});

/** Whoever has the database's password: triggers do not run for them, and every process is told to look. */
async function alter(sql: string, values: readonly unknown[] = []): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  const { rowCount } = await pool.query(sql, [...values]);
  expect(rowCount).toBeGreaterThan(0);
  await pool.query('UPDATE ledger_heads SET epoch = epoch + 1');
}
/** What a plane that starts now, and the console, act on. */
async function acting() {
  const other = await plane.another();
  try {
    return { plane: (await callPlane(other.url, null, 'GET', '/readyz')).body as { readonly status: string; readonly code?: string }, console: await parts.inForce.refresh() };
  } finally {
    await other.stop();
  }
}

describe('with the database in an attacker’s hands', () => {
  it('a next trust root that nobody signed, or a stranger, makes no owner: everything is denied', async () => {
    const mallory = generateKey();
    const { root, digest } = valueOf(await trustBase(parts));
    const next = { ...root, version: 2, previous: digest, owners: [{ person: olga.person, key: listed(mallory) }] };
    await alter('INSERT INTO trust_roots (workspace_id, version, envelope) VALUES ($1, 2, $2)', [plane.workspace, envelopeText(await signTrustRoot(next, [mallory.signer]))]);
    const seen = await acting();
    expect(seen.console).toMatchObject({ denied: 'policy_unreadable', root: null });
    expect(seen.plane.status).toBe('denying_all');
  });

  it('an older trust root that was in force once brings no owner back', async () => {
    await changeRoot(parts, { cool_off_seconds: 5 }, olga);
    expect((await acting()).plane.status).toBe('ready');
    await alter('DELETE FROM trust_roots WHERE version = 2');
    const seen = await acting();
    expect(seen.console.denied).toBe('rollback_detected');
    expect(seen.plane).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  });

  it('a roster that no owner signed gives nobody a role, key or group: the last good one goes on, and a new process denies everything', async () => {
    const mallory = generateKey();
    const roster = (await parts.inForce.refresh()).roster;
    if (!roster) throw new Error('No roster.');
    const person = plane.personOf('requester');
    const people = roster.roster.people.map((one) => (one.id === person ? { ...one, roles: ['owner', 'approver'] as const, groups: ['approver'], keys: [listed(mallory)] } : one));
    const forged = await signRoster({ ...roster.roster, version: roster.roster.version + 1, previous: roster.digest, people }, [mallory.signer]);
    await alter('INSERT INTO rosters (workspace_id, version, envelope) VALUES ($1, $2, $3)', [plane.workspace, roster.roster.version + 1, envelopeText(forged)]);
    const seen = await acting();
    expect(seen.console.roster?.roster.people.find(({ id }) => id === person)).toMatchObject({ roles: ['requester'], keys: [] });
    expect(seen.plane.status).toBe('denying_all');
  });

  it('an older roster that was signed once brings back no role that was taken away since', async () => {
    const abe = plane.personOf('approver');
    await changeRoster(parts, olga, { kind: 'set_person', person: abe, roles: ['requester'], groups: [] });
    await parts.inForce.refresh();
    await alter('DELETE FROM rosters WHERE version = (SELECT max(version) FROM rosters)');
    const seen = await acting();
    expect(seen.console.denied).toBe('rollback_detected');
    expect(seen.plane).toMatchObject({ status: 'denying_all', code: 'rollback_detected' });
  });

  it('rows of people give no role: whatever they say, the signed roster says who is what', async () => {
    const rita = plane.personOf('requester');
    await alter('UPDATE people SET email = $2, name = $3 WHERE id = $1', [rita, 'mallory@harbor.example', 'Olga Owner']);
    const row = await parts.people.byId(rita);
    expect(row && viewerOf(row, await parts.inForce.refresh())).toMatchObject({ roles: ['requester'], email: 'requester@harbor.example' });
  });

  it('the pins of set-up are not taken from the database: without them everything is denied', async () => {
    const bare = await mkdtemp(path.join(os.tmpdir(), 'countersign-unpinned-'));
    await cp(path.join(plane.stateDirectory, 'keys'), path.join(bare, 'keys'), { recursive: true });
    const other = await plane.another({ COUNTERSIGN_STATE: bare });
    expect((await callPlane(other.url, null, 'GET', '/readyz')).body).toMatchObject({ status: 'denying_all', code: 'trust_root_unpinned' });
    await other.stop();
    const told = await plane.another({ COUNTERSIGN_STATE: bare, COUNTERSIGN_PIN: plane.provisioned.fingerprint });
    expect((await callPlane(told.url, null, 'GET', '/readyz')).body).toMatchObject({ status: 'ready' });
    await told.stop();
    const wrong = await plane.another({ COUNTERSIGN_STATE: bare, COUNTERSIGN_PIN: 'a'.repeat(64) });
    expect((await callPlane(wrong.url, null, 'GET', '/readyz')).body).toMatchObject({ status: 'denying_all' });
    await wrong.stop();
    await rm(bare, { recursive: true });
  });
});

describe('an admin’s session', () => {
  it('has no permission that signs anything in', () => {
    const signing = ['roster.sign', 'trust_root.sign', 'policy.sign', 'policy.apply', 'switch.release', 'approvals.decide', 'labels.lower'] as const;
    expect(signing.filter((permission) => permissionsByRole.admin.includes(permission))).toEqual([]);
  });

  it('makes no approver, even when it calls the services behind the actions: whom it invites is nobody, and no key of its own counts', async () => {
    const ada = plane.personOf('admin');
    const invited = valueOf(await invitePerson(parts, ada, { name: 'Mallory', email: 'mallory@harbor.example' }));
    expect((await viewerById(parts, invited.person)).permissions).toEqual([]);
    const own = generateKey();
    const envelope = await signKeyEnrolment({ workspace: parts.workspace, person: ada, key: listed(own), at: new Date().toISOString() }, [own.signer]);
    expect(valueOf(await enrolKey(parts, await viewerById(parts, ada), { envelope: envelopeText(envelope) }))).toMatchObject({ state: 'waiting' });
    const changes: readonly RosterChange[] = [
      { kind: 'add_person', person: invited.person, roles: ['approver'], groups: ['approver'] },
      { kind: 'set_person', person: ada, roles: ['owner', 'approver'], groups: ['approver'] },
      { kind: 'enrol_key', enrolment: own.id },
    ];
    for (const change of changes) {
      const prepared = valueOf(await prepareRosterChange(parts, change));
      const attempt = { change, roster: await signText(prepared.roster, own), countersigned: envelopeText(envelope) };
      expect(await completeRosterChange(parts, ada, attempt), change.kind).toMatchObject({ ok: false, error: { code: 'roster_invalid' } });
    }
    const { roster } = await parts.inForce.refresh();
    expect(roster?.roster.people.filter(({ roles }) => roles.includes('approver')).map(({ name }) => name).sort()).toEqual(['Abe Approver', 'Bea Second']);
  });
});
