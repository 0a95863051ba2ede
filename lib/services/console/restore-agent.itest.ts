import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { generateKey, type SigningKey } from '@/lib/server/ed25519';
import type { PersonId } from '@/lib/shared/ids';
import { codeOf, signText, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

import type { ConsoleParts } from './console-parts';
import { registerAgent } from './register-agent';
import { prepareRestoration, restoreAgent } from './restore-agent';
import { suspendAgent } from './suspend-agent';

let plane: TestPlane;
let parts: ConsoleParts;
let close: () => Promise<void>;
let owner: PersonId;
let admin: PersonId;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  ({ parts, close } = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory }));
  [owner, admin] = [plane.personOf('owner'), plane.personOf('admin')];
}, 60_000);
afterAll(async () => {
  await close();
  await plane.stop();
});

const agent = 'courier';
const credential = async (): Promise<string> => valueOf(await registerAgent(parts, admin, { agent, role: 'assistant', scope: [], expires_in_days: 5, explain: false })).token;
const propose = async (token: string, session: string): Promise<{ readonly status: number; readonly body: { readonly state?: string } }> => await plane.call(token, 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
const signed = async (key: SigningKey = plane.owner): Promise<string> => await signText(valueOf(await prepareRestoration(parts, agent)).document, key);
const restore = (envelope: string) => restoreAgent(parts, owner, { agent, reason: 'Looked.', envelope });
/** As a process sees it that starts now, from the log alone. */
const suspendedAnew = async (): Promise<boolean> => {
  const another = await testConsole({ databaseUrl: plane.databaseUrl, workspace: plane.workspace, stateDirectory: plane.stateDirectory });
  const { agents } = await another.parts.inForce.refresh();
  await another.close();
  return agents.get(agent)?.suspended_at !== null;
};

describe('a suspended agent', () => {
  it('comes back by an owner’s signature over that suspension, once, and with new credentials only', async () => {
    const before = await credential();
    const session = await plane.openSession('Please take a note.', agent);
    valueOf(await suspendAgent(parts, admin, agent));
    expect(codeOf(await restore(await signed(generateKey())))).toBe('signature_invalid');
    expect(await suspendedAnew()).toBe(true);

    const envelope = await signed();
    expect((await Promise.all([restore(envelope), restore(envelope)])).map(codeOf).sort()).toEqual(['conflict', 'ok']);
    expect(await suspendedAnew()).toBe(false);
    expect((await propose(before, session)).status).toBe(401);
    const after = await credential();
    const again = await plane.openSession('Please take a note.', agent);
    await expect.poll(async () => (await propose(after, again)).body.state, { timeout: 10_000 }).toBe('permitted');

    valueOf(await suspendAgent(parts, admin, agent));
    expect(codeOf(await restore(envelope))).toBe('signature_invalid');
    await expect.poll(async () => (await propose(after, again)).status, { timeout: 10_000 }).toBe(401);
    expect(await verdictOfLog(parts, plane.provisioned)).toMatchObject({ verdict: 'verified' });
    expect(await unreadableReceipts(parts)).toEqual([]);
  }, 60_000);

  it('does not come back by its row, nor by a receipt that carries no owner’s signature', async () => {
    const pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
    await pool.query(`UPDATE "agents" SET "suspended_at" = NULL WHERE "id" = $1`, [agent]);
    await pool.end();
    expect(await suspendedAnew()).toBe(true);
    const [row] = (await parts.credentials.list()).filter(({ subject }) => subject === agent);
    await parts.transactor.withHead(async (tx, { now }) => {
      await parts.ledger.append(tx, [await parts.sign('credential_administered', now, { credential: row?.id ?? parts.ids.make('credential'), kind: 'agent', subject: agent, change: 'restored', by: { kind: 'person', id: owner } }, { agent })]);
    });
    expect(await suspendedAnew()).toBe(true);
    // Once a checkpoint covers it: what none covers is in no bundle.
    await expect.poll(async () => (await verdictOfLog(parts, plane.provisioned)).verdict, { timeout: 30_000 }).toBe('failed');
  }, 60_000);

  it('is told apart from one that nobody suspended, and from none', async () => {
    expect(codeOf(await prepareRestoration(parts, 'helper'))).toBe('conflict');
    expect(codeOf(await prepareRestoration(parts, 'nobody'))).toBe('not_found');
  });
});
