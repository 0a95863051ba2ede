import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { generateKey } from '@/lib/server/ed25519';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareRelease, releaseSwitch } from '@/lib/services/console/release-switch';
import { throwSwitch } from '@/lib/services/console/throw-switch';
import type { PersonId } from '@/lib/shared/ids';
import { codeOf, signText, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { startPlaneProcess, type PlaneProcess } from '@/lib/testing/plane-process';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

let plane: TestPlane;
let other: PlaneProcess;
let parts: ConsoleParts;
let close: () => Promise<void>;
let pool: ReturnType<typeof createPool>;
let owner: PersonId;
let admin: PersonId;

beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  other = await startPlaneProcess(plane);
  ({ parts, close } = await testConsole(plane));
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  [owner, admin] = [plane.personOf('owner'), plane.personOf('admin')];
}, 120_000);
afterAll(async () => {
  await other.stop();
  await close();
  await pool.end();
  await plane.stop();
});

const notes = { scope: 'tool', subject: 'notes' } as const;
const propose = async (tool: string, operation: string, parameters: object, session: string, url = plane.url): Promise<PlaneAnswer['body']> =>
  (await callPlane(url, plane.token('helper'), 'POST', '/v1/actions', { session, tool, operation, parameters })).body;
const note = async (url = plane.url): Promise<PlaneAnswer['body']> => await propose('notes', 'write', { text: 'x' }, await plane.openSession('Take a note.'), url);
const throwIt = async (which: typeof notes | { readonly scope: 'all'; readonly subject: '' } = notes): Promise<void> => void valueOf(await throwSwitch(parts, admin, { ...which, reason: 'Look first.' }));
const signedRelease = async (which: typeof notes | { readonly scope: 'all'; readonly subject: '' } = notes, key = plane.owner) => await signText(valueOf(await prepareRelease(parts, which)).document, key);
/** What somebody with the database's password could do: triggers do not run for them. */
async function alter(sql: string): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  await pool.query(sql);
  await pool.query('UPDATE ledger_heads SET epoch = epoch + 1');
}
const release = async (which: typeof notes | { readonly scope: 'all'; readonly subject: '' } = notes) => await releaseSwitch(parts, owner, { ...which, reason: 'Looked.', envelope: await signedRelease(which) });

describe('a switch that is thrown', () => {
  it('stops on every plane the decisions and the permits that come after it', async () => {
    const permitted = await note();
    await throwIt();
    expect((await callPlane(other.url, plane.token('helper'), 'POST', `/v1/permits/${permitted.permit.id}/redeem`)).body).toMatchObject({ error: { code: 'permit_stale' } });
    for (const url of [plane.url, other.url]) expect(await note(url)).toMatchObject({ decision: 'DENY', code: 'kill_switch' });
    valueOf(await release());
    for (const url of [plane.url, other.url]) expect(await note(url)).toMatchObject({ decision: 'ALLOW' });
  });

  it('is known to a process that nothing asks of within a second', async () => {
    const since = performance.now();
    await throwIt();
    // Metrics are what the process knows by itself: nothing here asks the database.
    await expect.poll(async () => await (await fetch(`${other.url}/metrics`, { headers: { authorization: `Bearer ${plane.token('desk')}` } })).text(), { timeout: 1000, interval: 10 }).toContain('countersign_switches_thrown 1\n');
    expect(performance.now() - since).toBeLessThan(1000);
    valueOf(await release());
  });

  it('withdraws what waits for what it covers, and nothing else of the same session', async () => {
    const session = await plane.openSession('Write the report and pay the invoice.');
    const written = await propose('files', 'write', { path: 'a.txt', content: 'x' }, session);
    const paid = await propose('payments', 'transfer', { to: 'DE02120300000000202051', amount: 5, currency: 'EUR' }, session);
    expect([written.state, paid.state]).toEqual(['held', 'held']);
    const files = { scope: 'tool', subject: 'files' } as const;
    valueOf(await throwSwitch(parts, owner, { ...files, reason: 'Look first.' }));
    const stateOf = async (id: string): Promise<string> => String((await plane.call(plane.token('helper'), 'GET', `/v1/actions/${id}`)).body.state);
    await expect.poll(() => stateOf(String(written.id)), { timeout: 10_000 }).toBe('withdrawn');
    expect(await stateOf(String(paid.id))).toBe('held');
    const prepared = valueOf(await prepareRelease(parts, files));
    expect(prepared).toMatchObject({ reason: 'Look first.' });
    valueOf(await releaseSwitch(parts, owner, { ...files, reason: 'Looked.', envelope: await signText(prepared.document, plane.owner) }));
    // What was stopped stays stopped; the agent proposes it anew.
    expect(await stateOf(String(written.id))).toBe('withdrawn');
    expect((await propose('files', 'write', { path: 'a.txt', content: 'x' }, session)).state).toBe('held');
  });
});

describe('a switch is released', () => {
  it('by no row', async () => {
    await throwIt();
    await alter('DELETE FROM switches');
    for (const url of [plane.url, other.url]) expect(await note(url)).toMatchObject({ code: 'kill_switch' });
    expect(codeOf(await release())).toBe('ok');
    expect(await note(other.url)).toMatchObject({ decision: 'ALLOW' });
  });

  it('by no signature of somebody who is no owner, over another throw, or over another switch', async () => {
    await throwIt();
    const attempt = async (envelope: string) => codeOf(await releaseSwitch(parts, admin, { ...notes, reason: 'Because.', envelope }));
    expect(await attempt(await signedRelease(notes, generateKey()))).toBe('signature_invalid');
    await throwIt({ scope: 'all', subject: '' });
    expect(await attempt(await signedRelease({ scope: 'all', subject: '' }))).toBe('signature_invalid');
    const old = await signedRelease();
    valueOf(await release());
    expect(codeOf(await releaseSwitch(parts, owner, { ...notes, reason: 'Again.', envelope: old }))).toBe('not_found');
    await throwIt();
    expect(await attempt(old)).toBe('signature_invalid');
    valueOf(await release());
    expect(await note()).toMatchObject({ code: 'kill_switch' });
    valueOf(await release({ scope: 'all', subject: '' }));
    expect(await note()).toMatchObject({ decision: 'ALLOW' });
  });

  it('once, of two owners who release it at once', async () => {
    await throwIt();
    const envelope = await signedRelease();
    const codes = (await Promise.all([1, 2].map(() => releaseSwitch(parts, owner, { ...notes, reason: 'Looked.', envelope })))).map(codeOf);
    expect(codes.toSorted()).toEqual(['not_found', 'ok']);
  });

  it('by no receipt that carries no owner’s signature, whoever logged it', async () => {
    await throwIt();
    await parts.transactor.withHead(async (tx, { now }) => {
      const receipt = await parts.sign('switch_thrown', now, { scope: 'tool', target: 'notes', on: false, reason: 'x', by: { kind: 'person', id: owner }, epoch: 99 }, { tool: 'notes' });
      await parts.ledger.append(tx, [receipt]);
      await parts.transactor.raiseEpoch(tx);
    });
    for (const url of [plane.url, other.url]) expect(await note(url)).toMatchObject({ code: 'kill_switch' });
    const report = await verdictOfLog(parts, plane.provisioned);
    expect(report.checks.find(({ id }) => id === 'switches')).toMatchObject({ state: 'fail' });
  });
});

describe('the log until then', () => {
  it('is readable', async () => {
    expect(await unreadableReceipts(parts)).toEqual([]);
  });
});
