import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { fsck } from '@/lib/db/fsck';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { suspendAgent } from '@/lib/services/console/suspend-agent';
import { prepareGrant } from '@/lib/services/grants/prepare-grant';
import { revokeGrant } from '@/lib/services/grants/revoke-grant';
import { signGrant } from '@/lib/services/grants/sign-grant';
import { generateKey } from '@/lib/server/ed25519';
import { isId, type GrantId, type PersonId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { codeOf, signText, testConsole, unreadableReceipts, valueOf } from '@/lib/testing/console-fixture';
import { callPlane, startTestPlane, type PlaneAnswer, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { startPlaneProcess, type PlaneProcess } from '@/lib/testing/plane-process';
import { verdictOfLog } from '@/lib/testing/verdict-of-log';

/** Notes need a grant; mail is out of everybody's reach; updates are capped and need one too; files need a person and one. */
const policy = planePolicy
  .replace('  - name: notes.write\n', '  - name: database.update\n    grant: required\n  - name: files.write\n    grant: required\n  - name: database.drop\n    grant: required\n  - name: notes.write\n    grant: required\n');

let plane: TestPlane;
let other: PlaneProcess;
let parts: ConsoleParts;
let close: () => Promise<void>;
let owner: PersonId;
let pool: ReturnType<typeof createPool>;

beforeAll(async () => {
  plane = await startTestPlane(policy);
  other = await startPlaneProcess(plane);
  ({ parts, close } = await testConsole(plane));
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
  owner = plane.personOf('owner');
}, 120_000);
afterAll(async () => {
  await other.stop();
  await close();
  await pool.end();
  await plane.stop();
});
beforeEach(async () => {
  for (const { terms } of (await parts.inForce.refresh()).grants ?? []) await revokeGrant(parts, owner, { grant: terms.grant, reason: 'The next test.' });
});

type Wanted = { readonly tool: string; readonly operation: string | null; readonly scope?: Json; readonly uses?: number; readonly agent?: string; readonly expires_at?: string; readonly replaces?: GrantId };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const prepare = (wanted: Wanted) => prepareGrant(parts, { agent: 'helper', scope: null, uses: 3, expires_at: inAnHour(), reason: 'For the test.', ...wanted });
async function give(wanted: Wanted): Promise<GrantId> {
  const { document } = valueOf(await prepare(wanted));
  const { grant, state } = valueOf(await signGrant(parts, owner, { envelope: await signText(document, plane.owner) }));
  if (!isId('grant', grant)) throw new Error('No id of a grant.');
  expect(state).toBe('issued');
  return grant;
}
const propose = async (tool: string, operation: string, parameters: object, url = plane.url, agent = 'helper'): Promise<PlaneAnswer['body']> =>
  (await callPlane(url, plane.token(agent), 'POST', '/v1/actions', { session: await plane.openSession('Take a few notes.', agent), tool, operation, parameters })).body;
const note = (text = 'x', url = plane.url) => propose('notes', 'write', { text }, url);
const redeem = (permit: string, url = plane.url) => callPlane(url, plane.token('helper'), 'POST', `/v1/permits/${permit}/redeem`);
/** What somebody with the database's password could do: triggers do not run for them. */
async function alter(sql: string, values: readonly unknown[] = []): Promise<void> {
  await pool.query("SET session_replication_role = 'replica'");
  const { rowCount } = await pool.query(sql, [...values]);
  expect(rowCount).toBeGreaterThan(0);
}
const usesInLog = async () => (await parts.log.search({ kind: 'grant_consumed' }, { limit: 100 })).rows.length;

describe('an operation that needs a grant', () => {
  it('is denied without one, and the answer says how to propose one', async () => {
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'grant_needed', guidance: expect.stringContaining('/v1/proposals') });
  });

  it('is permitted under one, its permit names it, and redeeming counts it', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', uses: 2 });
    const before = await usesInLog();
    const first = await note();
    expect(first).toMatchObject({ decision: 'ALLOW' });
    expect(await usesInLog()).toBe(before);
    expect((await redeem(first.permit.id)).status).toBe(200);
    expect(await usesInLog()).toBe(before + 1);
    expect((await redeem((await note()).permit.id)).status).toBe(200);
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    expect((await parts.grants.find([grant])).get(grant)).toMatchObject({ used: 2 });
  });

  it('is not permitted by a grant of another agent, tool or operation', async () => {
    await give({ tool: 'notes', operation: 'write', agent: 'stranger' });
    await give({ tool: 'database', operation: null });
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
  });

  it('is not allowed by a grant that a rule denies, forbids or holds back', async () => {
    await give({ tool: 'database', operation: null });
    await give({ tool: 'files', operation: 'write' });
    expect(await propose('database', 'drop', { table: 'orders' })).toMatchObject({ decision: 'DENY', code: 'forbidden_action' });
    expect(await propose('files', 'write', { path: 'a.txt', content: 'x' })).toMatchObject({ decision: 'STEP_UP' });
  });

  it('keeps to the scope of its grant, before and after policy changed the arguments', async () => {
    await give({ tool: 'notes', operation: 'write', scope: { text: ['a', 'b'] } });
    expect((await note('a')).decision).toBe('ALLOW');
    expect(await note('c')).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    await give({ tool: 'database', operation: 'update', scope: { limit: { gte: 20 } } });
    const update = { table: 'orders', set: { state: 'new' }, where: 'id = 1', limit: 50 };
    expect(await propose('database', 'update', update)).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    await give({ tool: 'database', operation: 'update', scope: { limit: { lte: 50 } } });
    const changed = await propose('database', 'update', update);
    expect(changed).toMatchObject({ decision: 'MODIFY' });
    expect((await redeem(changed.permit.id)).body).toMatchObject({ execute: { parameters: { limit: 10 } } });
  });
});

describe('the uses of a grant', () => {
  it('are never more than it gives, however many permits are redeemed on two planes at once', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', uses: 3 });
    const permits = [];
    for (let at = 0; at < 12; at++) permits.push((await note(`n${at}`, at % 2 === 0 ? plane.url : other.url)).permit.id);
    const before = await usesInLog();
    const answers = await Promise.all(permits.map((permit, at) => redeem(permit, at % 2 === 0 ? other.url : plane.url)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.error?.code === 'permit_stale')).toHaveLength(9);
    expect(await usesInLog()).toBe(before + 3);
    expect((await parts.grants.find([grant])).get(grant)).toMatchObject({ used: 3 });
  }, 60_000);

  it('do not come back when its row says so', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', uses: 1 });
    const [first, second] = [await note('one'), await note('two')];
    expect((await redeem(first.permit.id)).status).toBe(200);
    await alter('UPDATE grants SET used = 0, uses = 1000 WHERE id = $1', [grant]);
    expect((await redeem(second.permit.id)).body).toMatchObject({ error: { code: 'permit_stale' } });
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
  });
});

describe('a grant that ended', () => {
  it('gives nothing any more, also under a permit that is out, on every plane at once', async () => {
    const grant = await give({ tool: 'notes', operation: 'write' });
    const { permit } = await note();
    valueOf(await revokeGrant(parts, owner, { grant, reason: 'Done.' }));
    expect((await redeem(permit.id, other.url)).body).toMatchObject({ error: { code: 'permit_stale' } });
    expect(await note('x', other.url)).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
    expect(codeOf(await revokeGrant(parts, owner, { grant, reason: 'Again.' }))).toBe('conflict');
  });

  it('does not come back when its row is set back', async () => {
    const grant = await give({ tool: 'notes', operation: 'write' });
    valueOf(await revokeGrant(parts, owner, { grant, reason: 'Done.' }));
    await alter('UPDATE grants SET ended_at = NULL WHERE id = $1', [grant]);
    await alter('UPDATE ledger_heads SET epoch = epoch + 1');
    expect(await note()).toMatchObject({ decision: 'DENY', code: 'grant_needed' });
  });

  it('has run out by the clock of the database', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', expires_at: new Date(Date.now() + 1500).toISOString() });
    const { permit } = await note();
    await expect.poll(async (): Promise<unknown> => (await note()).code, { timeout: 5000 }).toBe('grant_needed');
    expect((await redeem(permit.id)).body).toMatchObject({ error: { code: 'permit_stale' } });
    expect((await parts.grants.find([grant])).get(grant)).toMatchObject({ used: 0 });
  });

  it('is void with its agent', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', agent: 'stranger' });
    valueOf(await suspendAgent(parts, owner, 'stranger'));
    expect((await parts.inForce.refresh()).grants?.map(({ terms }) => terms.grant)).not.toContain(grant);
    expect(codeOf(await prepare({ tool: 'notes', operation: 'write', agent: 'stranger' }))).toBe('grant_invalid');
  });

  it('was narrowed: the wider one ends when the narrower one is issued', async () => {
    const expires_at = inAnHour();
    const wide = await give({ tool: 'notes', operation: null, uses: 3, expires_at });
    expect(codeOf(await prepare({ tool: 'notes', operation: 'write', uses: 4, replaces: wide }))).toBe('grant_invalid');
    const narrow = await give({ tool: 'notes', operation: 'write', uses: 1, scope: { text: 'a' }, expires_at, replaces: wide });
    expect((await parts.inForce.current()).grants?.map(({ terms }) => terms.grant)).toEqual([narrow]);
    expect(await note('b')).toMatchObject({ code: 'grant_needed' });
    expect((await note('a')).decision).toBe('ALLOW');
  });
});

describe('what is no grant', () => {
  it.each<[string, Partial<Wanted>]>([
    ['for a tool that the catalogue does not know', { tool: 'nothing', operation: null }],
    ['for an agent that nobody registered', { agent: 'nobody' }],
    ['that would have ended already', { expires_at: '2020-01-01T00:00:00.000Z' }],
    ['that lasts for ever', { expires_at: '2999-01-01T00:00:00.000Z' }],
    ['with a parameter that the operation does not have', { scope: { colour: 'red' } }],
    ['with an operator that there is not', { scope: { text: { roughly: 'a' } } }],
    ['with a scope that is no condition', { scope: 'everything' }],
    ['with an empty scope', { scope: {} }],
  ])('%s is refused', async (_, wanted) => {
    expect(codeOf(await prepare({ tool: 'notes', operation: 'write', ...wanted }))).toBe('grant_invalid');
  });

  it('one that no owner signed', async () => {
    const { document } = valueOf(await prepare({ tool: 'notes', operation: 'write' }));
    expect(codeOf(await signGrant(parts, owner, { envelope: await signText(document, generateKey()) }))).toBe('signature_invalid');
    expect(codeOf(await signGrant(parts, plane.personOf('admin'), { envelope: await signText(document, plane.owner) }))).toBe('forbidden');
    expect(await note()).toMatchObject({ code: 'grant_needed' });
  });

  it('a row, and a row that names another agent, tool, end or count', async () => {
    const grant = await give({ tool: 'notes', operation: 'write', agent: 'explainer', uses: 1 });
    await alter(`UPDATE grants SET agent_id = 'helper', uses = 100, expires_at = now() + interval '1 year' WHERE id = $1`, [grant]);
    await alter(`INSERT INTO grants SELECT workspace_id, 'grt_aaaaaaaaaaaaaaaaaaaaaa', 'helper', tool, operation, 100, 0, expires_at, envelope, created_by, created_at, issued_at, NULL FROM grants WHERE id = $1`, [grant]);
    await alter('UPDATE ledger_heads SET epoch = epoch + 1');
    expect(await note()).toMatchObject({ code: 'grant_needed' });
  });
});

describe('the log of all this', () => {
  it('is readable, unbroken, and verifies offline', async () => {
    expect(await unreadableReceipts(parts)).toEqual([]);
    expect(await fsck(pool, plane.workspace)).toMatchObject({ ok: true });
    const report = await verdictOfLog(parts, plane.provisioned);
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(report.rederived.differs).toBe(0);
  }, 60_000);
});
