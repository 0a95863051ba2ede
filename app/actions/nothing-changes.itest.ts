import { readdirSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ActionResult } from '@/lib/contracts/console/action-result';
import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import { createLogger } from '@/lib/server/logger';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareGrant } from '@/lib/services/grants/prepare-grant';
import { prepareRelease } from '@/lib/services/console/release-switch';
import { prepareRestoration } from '@/lib/services/console/restore-agent';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import { signText, testConsole, valueOf, viewerById } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

const state = vi.hoisted((): { viewer: unknown; parts: unknown } => ({ viewer: null, parts: undefined }));
vi.mock('@/lib/server/get-viewer', () => ({ getViewer: async () => state.viewer }));
vi.mock('@/lib/server/runtime-or-fault', () => ({
  runtimeOrFault: async () => ({ ok: true, value: { parts: state.parts, logger: createLogger('test', { level: 'error', write: () => undefined }) } }),
}));

type Action = (input: unknown) => Promise<ActionResult<unknown>>;
const modules = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !/\.(test|itest)\.ts$/.test(file));
const actions = new Map(
  (await Promise.all(modules.map(async (file) => Object.entries((await import(/* @vite-ignore */ path.join(import.meta.dirname, file))) as Record<string, Action>)))).flat(),
);

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole(plane));
  state.parts = parts;
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  valueOf(await suspendAgent(parts, plane.personOf('admin'), 'stranger'));
  valueOf(await throwSwitch(parts, plane.personOf('admin'), { scope: 'tool', subject: 'notes', reason: 'It stays thrown.' }));
}, 60_000);
afterAll(async () => {
  await close();
  await pool.end();
  await plane.stop();
});

/** What gives somebody more: it is all signed, so no session gives it alone. Rows that wait for signatures give nothing and are left out. */
const loosening: readonly string[] = [
  'SELECT * FROM trust_roots ORDER BY version', 'SELECT * FROM rosters ORDER BY version', 'SELECT * FROM policy_revisions ORDER BY revision',
  'SELECT id FROM grants WHERE issued_at IS NOT NULL ORDER BY id', 'SELECT * FROM switches WHERE released_at IS NULL ORDER BY scope, subject', 'SELECT id FROM agents WHERE suspended_at IS NOT NULL ORDER BY id', `SELECT * FROM key_enrolments WHERE state <> 'waiting' ORDER BY id`,
];
const standing = async (): Promise<string> => JSON.stringify(await Promise.all(loosening.map(async (sql) => (await pool.query<Readonly<Record<string, unknown>>>(sql)).rows)));

/** Documents as the console itself prepares them, signed by a key that is nobody's. */
async function forged(): Promise<Readonly<Record<string, unknown>>> {
  const stranger = generateKey();
  const grant = valueOf(await prepareGrant(parts, { agent: 'helper', tool: 'database', operation: null, scope: null, uses: 9, expires_at: new Date(Date.now() + 60_000).toISOString(), reason: 'Because I can.' }));
  const release = valueOf(await prepareRelease(parts, { scope: 'tool', subject: 'notes' }));
  const restoration = valueOf(await prepareRestoration(parts, 'stranger'));
  const [roster] = await parts.authority.rosters();
  const change = { kind: 'set_person', person: plane.personOf('requester'), roles: ['owner', 'approver'], groups: ['approver'] };
  return {
    signGrant: { envelope: await signText(grant.document, stranger) },
    releaseSwitch: { scope: 'tool', subject: 'notes', reason: 'Because I can.', envelope: await signText(release.document, stranger) },
    restoreAgent: { agent: 'stranger', reason: 'Because I can.', envelope: await signText(restoration.document, stranger) },
    completeRosterChange: { change, roster: roster?.envelope },
    enrolKey: { envelope: roster?.envelope },
  };
}

describe('with nothing but a session, however many roles it has', () => {
  it.each(['owner', 'admin', 'approver', 'second', 'requester'])('the %s’s changes no policy, grant, key, role or switch by any action', async (who) => {
    const inputs = await forged();
    expect([...actions.keys()]).toEqual(expect.arrayContaining(Object.keys(inputs)));
    state.viewer = await viewerById(parts, plane.personOf(who));
    const before = await standing();
    let refused = 0;
    for (const [name, action] of actions) {
      for (const input of [undefined, {}, { envelope: 'x' }, ...(Object.hasOwn(inputs, name) ? [inputs[name]] : [])]) {
        const result = await action(input);
        if (!result.ok) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(actions.size);
    expect(await standing()).toBe(before);
  }, 60_000);
});
