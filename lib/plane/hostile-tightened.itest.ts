import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareRelease, releaseSwitch } from '@/lib/services/console/release-switch';
import { revokeCredential } from '@/lib/services/console/revoke-credential';
import { revokeKey } from '@/lib/services/console/revoke-key';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { suspendPerson } from '@/lib/services/console/suspend-person';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { prepareGrant } from '@/lib/services/grants/prepare-grant';
import { revokeGrant } from '@/lib/services/grants/revoke-grant';
import { signGrant } from '@/lib/services/grants/sign-grant';
import type { InForce } from '@/lib/services/in-force';
import type { SigningKey } from '@/lib/server/ed25519';
import { isId, type GrantId, type PersonId } from '@/lib/shared/ids';
import { enrolled, signText, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

const policy = planePolicy.replace('  - name: notes.write\n', '  - name: database.update\n    grant: required\n  - name: notes.write\n');
const notes = { scope: 'tool', subject: 'notes' } as const;

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
let parts: ConsoleParts;
let close: () => Promise<void>;
/** The state directory of a process that was down from before anything was tightened. */
let asleep: string;
let abesKey: SigningKey;
let revokedGrant: GrantId;
let usedGrant: GrantId;

const idOf = (who: string): PersonId => {
  const id = plane.provisioned.people.get(`${who}@harbor.example`);
  if (!id) throw new Error(`Nobody is ${who}.`);
  return id;
};
const gate = () => {
  const id = plane.provisioned.vouching.find(({ subject }) => subject === 'gate')?.id;
  if (!id) throw new Error('No gate.');
  return id;
};
/** Whoever has the database's password: triggers do not run for them, and every process is told to look. */
async function alter(...statements: readonly string[]): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  for (const sql of statements) expect((await pool.query(sql)).rowCount, sql).toBeGreaterThan(0);
  await pool.query('UPDATE ledger_heads SET epoch = epoch + 1');
}
async function give(uses: number): Promise<GrantId> {
  const { document } = valueOf(await prepareGrant(parts, { agent: 'helper', tool: 'database', operation: 'update', scope: null, uses, expires_at: new Date(Date.now() + 3_600_000).toISOString(), reason: 'For the test.' }));
  const { grant } = valueOf(await signGrant(parts, idOf('owner'), { envelope: await signText(document, plane.owner) }));
  if (!isId('grant', grant)) throw new Error('No id of a grant.');
  return grant;
}
async function propose(tool: string, operation: string, parameters: object, url = plane.url): Promise<PlaneAnswer['body']> {
  const session = await plane.openSession('Do what is asked.');
  return (await callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters })).body;
}
const note = (url?: string) => propose('notes', 'write', { text: 'x' }, url);
const update = (url?: string) => propose('database', 'update', { table: 'orders', set: { state: 'new' }, where: 'id = 1', limit: 5 }, url);
const throwNotes = async () => void valueOf(await throwSwitch(parts, idOf('admin'), { ...notes, reason: 'Look first.' }));

const tightening = `('switch_thrown', 'credential_administered', 'user_administered', 'key_removed', 'grant_revoked', 'grant_consumed')`;
/** Rows as they were before: the columns by which receipts are found name another kind, and what was tightened stands as if it never had been. */
const undone = [
  `UPDATE receipts SET kind = 'session_opened', facet = (SELECT facet FROM receipts WHERE kind = 'session_opened' LIMIT 1) WHERE kind IN ${tightening}`,
  'UPDATE agents SET suspended_at = NULL',
  'UPDATE credentials SET revoked_at = NULL',
  'UPDATE people SET suspended_at = NULL',
  'UPDATE grants SET ended_at = NULL, used = 0',
];

beforeAll(async () => {
  plane = await startTestPlane(policy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  ({ parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  abesKey = await enrolled(parts, { person: idOf('owner'), key: plane.owner }, idOf('approver'));
  [revokedGrant, usedGrant] = [await give(3), await give(1)];
  asleep = await mkdtemp(path.join(os.tmpdir(), 'countersign-asleep-'));
  await cp(plane.stateDirectory, asleep, { recursive: true });
}, 90_000);
afterAll(async () => {
  await close();
  await pool.end();
  await plane.stop();
  await rm(asleep, { recursive: true });
});

describe('with the database in an attacker’s hands', () => {
  it('a throw is seen by a plane that runs, although the combination by which it would be found names another kind', async () => {
    await throwNotes();
    const document = valueOf(await prepareRelease(parts, notes)).document;
    valueOf(await releaseSwitch(parts, idOf('owner'), { ...notes, reason: 'Looked.', envelope: await signText(document, plane.owner) }));
    expect(await note()).toMatchObject({ decision: 'ALLOW' });
    await alter(`UPDATE receipt_facets SET kind = 'session_opened' WHERE kind = 'switch_thrown'`);
    await throwNotes();
    await alter('DELETE FROM switches');
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
  });

  describe('whatever was tightened is known to processes that start after rows were set back', () => {
    const started: Record<'beside' | 'asleep', { readonly url: string; readonly stop: () => Promise<void> } | undefined> = { beside: undefined, asleep: undefined };
    const seen: Partial<Record<'beside' | 'asleep', InForce>> = {};
    const closing: (() => Promise<void>)[] = [];
    const which = ['beside', 'asleep'] as const;
    const told = (where: 'beside' | 'asleep'): InForce => seen[where] ?? raise('Not started.');
    const urlOf = (where: 'beside' | 'asleep'): string => started[where]?.url ?? raise('Not started.');
    function raise(what: string): never {
      throw new Error(what);
    }

    beforeAll(async () => {
      valueOf(await revokeGrant(parts, idOf('owner'), { grant: revokedGrant, reason: 'Done.' }));
      const permitted = await update();
      expect((await plane.call(plane.token('helper'), 'POST', `/v1/permits/${permitted.permit.id}/redeem`)).status).toBe(200);
      valueOf(await suspendAgent(parts, idOf('admin'), 'stranger'));
      valueOf(await revokeCredential(parts, idOf('admin'), gate()));
      valueOf(await suspendPerson(parts, idOf('owner'), idOf('second')));
      valueOf(await revokeKey(parts, await viewerById(parts, idOf('approver')), { key: abesKey.id }));
      await alter(...undone);
      for (const where of which) {
        const directory = where === 'beside' ? plane.stateDirectory : asleep;
        started[where] = await plane.another({ COUNTERSIGN_STATE: directory });
        const opened = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: directory });
        closing.push(opened.close);
        seen[where] = await opened.parts.inForce.refresh();
      }
    }, 60_000);
    afterAll(async () => {
      for (const one of closing) await one();
      for (const one of Object.values(started)) await one?.stop();
    });

    it.each(which)('a thrown switch (%s)', async (where) => {
      expect(told(where)).toMatchObject({ denied: null, switches: [notes] });
      expect(await note(urlOf(where))).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
    });
    it.each(which)('a suspended agent (%s)', async (where) => {
      expect(told(where).agents.get('stranger')?.suspended_at).not.toBeNull();
      expect(await callPlane(urlOf(where), plane.token('stranger'), 'GET', '/v1/actions/act_0000000000000000000000')).toMatchObject({ status: 401, body: { error: { code: 'credential_revoked' } } });
    });
    it.each(which)('a revoked credential (%s)', async (where) => {
      expect(await callPlane(urlOf(where), plane.token('gate'), 'GET', '/v1/actions/act_0000000000000000000000')).toMatchObject({ status: 401, body: { error: { code: 'credential_revoked' } } });
    });
    it.each(which)('a suspended person, and a key that its person revoked (%s)', (where) => {
      expect([...(told(where).suspended ?? [])]).toEqual([idOf('second')]);
      expect([...(told(where).revokedKeys ?? [])]).toEqual([abesKey.id]);
    });
    it.each(which)('a revoked grant, and one that was used up (%s)', async (where) => {
      expect((told(where).grants ?? []).map(({ terms, used }) => [terms.grant, used])).toEqual([[usedGrant, 1]]);
      expect(await update(urlOf(where))).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    });
    it('the owner’s release ends the switch for all of them, although no row says that it was ever thrown', async () => {
      const { document } = valueOf(await prepareRelease(parts, notes));
      valueOf(await releaseSwitch(parts, idOf('owner'), { ...notes, reason: 'Looked.', envelope: await signText(document, plane.owner) }));
      for (const where of which) expect(await note(urlOf(where))).toMatchObject({ decision: 'ALLOW' });
      const again = await plane.another();
      expect(await note(again.url)).toMatchObject({ decision: 'ALLOW' });
      await again.stop();
    });
  });
});
