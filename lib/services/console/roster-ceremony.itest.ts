import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { viewerOf } from '@/lib/auth/viewer-of';
import { createPool } from '@/lib/db/pool';
import type { RosterChange } from '@/lib/contracts/console/roster';
import { changeRoster, enrolled, listed, signText, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { listedFile, startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { changeRoot, type Owner } from '@/lib/testing/trust-ceremony';

import { completeRosterChange } from './complete-roster-change';
import type { ConsoleParts } from './console-parts';
import { judgesOf } from './approval-look';
import { mintCredential } from './mint-credential';
import { prepareRosterChange } from './prepare-roster-change';
import { suspendPerson } from './suspend-person';
import { pendingRosters } from './views/pending-rosters';
import { withdrawCeremony } from './withdraw-ceremony';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let parts: ConsoleParts;
let close: () => Promise<void>;
let olga: Owner;
let bea: Owner;

beforeEach(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  ({ parts, close } = await testConsole(plane));
  olga = { person: plane.personOf('owner'), key: plane.owner };
  bea = { person: plane.personOf('second'), key: await enrolled(parts, olga, plane.personOf('second')) };
}, 60_000);
afterEach(async () => {
  await close();
  await pool.end();
  await plane.stop();
});

/** From here on two owners have to sign whatever loosens. */
async function bothNeeded(): Promise<void> {
  const owners = [{ person: olga.person, key: listedFile(olga.key) }, { person: bea.person, key: listed(bea.key) }];
  await changeRoot(parts, { owners, thresholds: { policy: 1, loosening: 2, root: 1 } }, olga, bea);
}
async function sign(owner: Owner, change: RosterChange, at?: string) {
  const prepared = valueOf(await prepareRosterChange(parts, change, at));
  return await completeRosterChange(parts, owner.person, { change, roster: await signText(prepared.roster, owner.key) });
}
const rosterNow = async () => (await parts.inForce.refresh()).roster?.roster;
const rolesOf = async (person: string) => (await rosterNow())?.people.find(({ id }) => id === person)?.roles;

describe('a change of the roster where two owners have to sign', () => {
  beforeEach(bothNeeded);
  const change = (): RosterChange => ({ kind: 'set_person', person: plane.personOf('requester'), roles: ['approver'], groups: ['approver'] });

  it('waits after the first signature, and is in force with the second over the very same roster', async () => {
    expect(valueOf(await sign(olga, change()))).toMatchObject({ state: 'waiting', signed: 1, needed: 2 });
    expect(await rolesOf(plane.personOf('requester'))).toEqual(['requester']);
    const [pending] = valueOf(await pendingRosters(parts)).pending;
    expect(pending).toMatchObject({ signed: ['Olga Owner'], needed: 2, started_by: 'Olga Owner' });
    expect(valueOf(await sign(olga, change(), pending?.at))).toMatchObject({ state: 'waiting', signed: 1 });
    expect(valueOf(await sign(bea, change(), pending?.at))).toMatchObject({ state: 'in_force' });
    expect(await rolesOf(plane.personOf('requester'))).toEqual(['approver']);
    expect(valueOf(await pendingRosters(parts)).pending).toEqual([]);
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('is not helped by a signature on another change, and takes none once it was withdrawn', async () => {
    valueOf(await sign(olga, change()));
    const [pending] = valueOf(await pendingRosters(parts)).pending;
    expect(valueOf(await sign(bea, { ...change(), kind: 'set_person', person: bea.person, roles: ['owner'], groups: [] }, pending?.at))).toMatchObject({ state: 'waiting', signed: 1 });
    valueOf(await withdrawCeremony(parts, pending?.digest ?? ''));
    expect(await sign(bea, change(), pending?.at)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await rolesOf(plane.personOf('requester'))).toEqual(['requester']);
  });

  it('vouches for a credential only when both have signed: until then its token opens nothing', async () => {
    const minted = valueOf(await mintCredential(parts, { credential_kind: 'orchestrator', subject: 'front', scope: { humans: ['requester@harbor.example'] }, expires_in_days: 3 }));
    const open = async () => (await plane.call(minted.token, 'POST', '/v1/sessions', { human: 'requester@harbor.example', request: 'x', agent: 'helper' })).status;
    expect(valueOf(await sign(olga, minted.change))).toMatchObject({ state: 'waiting' });
    expect(await open()).toBe(401);
    const [pending] = valueOf(await pendingRosters(parts)).pending;
    expect(valueOf(await sign(bea, minted.change, pending?.at))).toMatchObject({ state: 'in_force' });
    await expect.poll(open).toBe(201);
  });
});

describe('somebody who was suspended', () => {
  const abe = () => plane.personOf('approver');
  const isSomebody = async () => {
    const row = await parts.people.byId(abe());
    const seen = await parts.inForce.refresh();
    const judges = judgesOf(seen, new Set());
    return { viewer: row !== undefined && viewerOf(row, seen) !== undefined, votes: judges.ok && !judges.value.suspended.has(abe()) };
  };
  const restoreRow = async () => {
    await pool.query("SET session_replication_role = 'replica'");
    await pool.query('UPDATE people SET suspended_at = NULL, signed_out_at = NULL');
  };

  it('is let back in by a signed roster, and by nothing else', async () => {
    valueOf(await suspendPerson(parts, olga.person, abe()));
    await restoreRow();
    expect(await isSomebody()).toEqual({ viewer: false, votes: false });
    await changeRoster(parts, olga, { kind: 'restore_person', person: abe() });
    expect(await isSomebody()).toEqual({ viewer: true, votes: true });
    expect(await unreadableReceipts(parts)).toEqual([]);
  });

  it('is not let back in by the receipt of an earlier return, written again behind the suspension', async () => {
    valueOf(await suspendPerson(parts, olga.person, abe()));
    await changeRoster(parts, olga, { kind: 'restore_person', person: abe() });
    valueOf(await suspendPerson(parts, olga.person, abe()));
    await restoreRow();
    const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM receipts WHERE kind = 'user_administered' ORDER BY index`);
    const back = rows.at(-2);
    const names = Object.keys(back ?? {});
    const moved = { ...back, index: Number(rows.at(-1)?.['index']) + 1 };
    expect(Buffer.from((JSON.parse(String(back?.['envelope'])) as { payload: string }).payload, 'base64').toString()).toContain('"restored"');
    await pool.query('DELETE FROM receipts WHERE index = $1', [back?.['index']]);
    await pool.query(`INSERT INTO receipts (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map((_, at) => `$${String(at + 1)}`).join(', ')})`, names.map((name) => (moved as Record<string, unknown>)[name]));
    expect((await parts.log.search({ kind: 'user_administered' }, { limit: 1 })).rows[0]?.id).toBe(back?.['id']);
    const other = await testConsole(plane);
    const seen = await other.parts.inForce.refresh();
    expect(seen.suspended?.has(abe())).toBe(true);
    await other.close();
  });

  it('who is taken out of the roster has no role, group or key left', async () => {
    expect(await prepareRosterChange(parts, { kind: 'remove_person', person: olga.person })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await changeRoster(parts, olga, { kind: 'remove_person', person: abe() });
    expect((await rosterNow())?.people.some(({ id }) => id === abe())).toBe(false);
    const row = await parts.people.byId(abe());
    expect(row && viewerOf(row, await parts.inForce.refresh())).toMatchObject({ roles: [], groups: [], keys: [], permissions: [] });
  });
});
