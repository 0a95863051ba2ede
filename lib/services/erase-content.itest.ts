import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { stockCatalogue } from '@/lib/mediate/stock';
import { fsck } from '@/lib/db/fsck';
import { createPool } from '@/lib/db/pool';
import { ownServiceKey } from '@/lib/server/service-keys';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';
import { testConsole, valueOf } from '@/lib/testing/console-fixture';
import { nodeSha256 as sha256, nodeVerifySignature as verifySignature } from '@/lib/testing/node-crypto';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';
import { rederiveWith } from '@/lib/verify/rederive-decision';
import type { Report } from '@/lib/verify/report';
import { verifyBundle } from '@/lib/verify/verify-bundle';

import { eraseContent, eraseEndedBefore, type EraseParts } from './erase-content';
import { exportBundle } from './export-bundle';

const policy = planePolicy
  .replace('  - name: notes.write', '  - name: vault.put\n    effect: write\n    impact: low\n    parameters: { secret: { type: string, sensitive: true } }\n  - name: notes.write')
  .replace('rules:\n', 'rules:\n  - id: allow-vault\n    match: { tool: vault, operation: put, parameters: { secret: { not: { in: [nothing] } } } }\n    action: ALLOW\n    reason: "The vault is for secrets."\n');

let plane: TestPlane;
let parts: EraseParts;
let pool: pg.Pool;
let close: () => Promise<void>;
const by = { kind: 'service', id: 'cli' } as const;

const call = (subject: string, method: string, path: string, body?: object) => plane.call(plane.token(subject), method, path, body, { 'idempotency-key': crypto.randomUUID() });

/** A session in which the word stands in the request, a message, an attribute, arguments, the agent's reason, an output and what was held. */
async function sessionSaying(word: string): Promise<{ readonly session: SessionId; readonly action: ActionId; readonly held: ActionId }> {
  const session = await plane.openSession(`Store plain-${word}-request and look at test data.`);
  await call('desk', 'POST', `/v1/sessions/${session}/messages`, { text: `And plain-${word}-message.` });
  await call('records', 'POST', `/v1/sessions/${session}/context`, { attributes: [{ subject: 'database:test_data', name: 'owner', value: `plain-${word}-attribute` }] });
  const put = await call('helper', 'POST', '/v1/actions', { session, tool: 'vault', operation: 'put', parameters: { secret: `plain-${word}-secret` }, reason: `because plain-${word}-reason` });
  expect(put.body.decision).toBe('ALLOW');
  await call('gate', 'POST', `/v1/permits/${put.body.permit.id}/redeem`);
  await call('gate', 'POST', `/v1/actions/${put.body.id}/outcome`, { status: 'failed', output: { said: `plain-${word}-output` }, error: `plain-${word}-error` });
  const held = await call('helper', 'POST', '/v1/actions', { session, tool: 'files', operation: 'write', parameters: { path: 'x.txt', content: `plain-${word}-content` } });
  expect(held.body.decision).toBe('STEP_UP');
  return { session: session as SessionId, action: put.body.id, held: held.body.id };
}

async function end({ session, held }: { readonly session: SessionId; readonly held: ActionId }): Promise<void> {
  await call('helper', 'DELETE', `/v1/actions/${held}`);
  await call('desk', 'DELETE', `/v1/sessions/${session}`);
}

/** Every table, row by row as text, and what receipts sign. */
async function dump(): Promise<string> {
  const tables = (await pool.query<{ name: string }>(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`)).rows;
  const texts: string[] = [];
  for (const { name } of tables) texts.push(...(await pool.query<{ row: string }>(`SELECT t::text AS "row" FROM "${name}" AS t`)).rows.map(({ row }) => row));
  texts.push(...(await pool.query<{ row: string }>(`SELECT convert_from(decode("envelope"::json->>'payload', 'base64'), 'utf8') AS "row" FROM "receipts"`)).rows.map(({ row }) => row));
  return texts.join('\n');
}

const found = async (word: string): Promise<readonly string[]> => [...new Set((await dump()).match(new RegExp(`plain-${word}-[a-z]+`, 'g')))].sort();

async function verified(session?: SessionId): Promise<Report> {
  const { signer } = await ownServiceKey(plane.stateDirectory, 'console');
  const { log, content, authority } = plane.stores;
  const exported = await exportBundle(
    { workspace: plane.workspace, log, content, authority, sha256, signer, productVersion: 'test' },
    { withhold: false, now: new Date().toISOString(), ...(session === undefined ? {} : { session }) },
  );
  return await verifyBundle(valueOf(exported).bytes, { sha256, verifySignature, root: plane.provisioned.fingerprint, rederive: rederiveWith(sha256, stockCatalogue(sha256)) });
}

/** The plane signs a head with its next commit, which covers what the console has appended. */
async function untilCovered(): Promise<void> {
  const { size } = await plane.stores.log.head();
  const session = await plane.openSession('Take a note.');
  await call('helper', 'POST', '/v1/actions', { session, tool: 'notes', operation: 'write', parameters: { text: 'x' } });
  await vi.waitUntil(async () => (await plane.stores.log.checkpointCovering(size)) !== undefined, { timeout: 10_000 });
}

beforeAll(async () => {
  plane = await startTestPlane(policy);
  const opened = await testConsole(plane);
  parts = opened.parts;
  pool = createPool({ url: plane.databaseUrl, max: 2, onIdleError: () => undefined });
  close = async () => {
    await pool.end();
    await opened.close();
  };
}, 60_000);
afterAll(async () => {
  await close();
  await plane.stop();
});

describe('erasing', () => {
  it('a session leaves none of its words and no salt anywhere in the database, and everything verifies, counted as erased', async () => {
    const mine = await sessionSaying('mine');
    const other = await sessionSaying('other');
    await end(mine);
    await end(other);
    const salts = (await pool.query<{ salt: string }>(`SELECT "salt" FROM "contents"`)).rows.map(({ salt }) => salt);
    const before = await found('mine');
    expect(before).toEqual(['attribute', 'content', 'error', 'message', 'output', 'reason', 'request', 'secret'].map((what) => `plain-mine-${what}`));
    const erased = valueOf(await eraseContent(parts, by, { session: mine.session, cause: 'asked', reason: 'The person asked for it.' }));
    expect(erased).toMatchObject({ receipts: 1, entries: 5 });
    expect(await found('mine')).toEqual([]);
    expect(await found('other')).toEqual(before.map((text) => text.replace('mine', 'other')));
    const left = new Set((await pool.query<{ salt: string }>(`SELECT "salt" FROM "contents"`)).rows.map(({ salt }) => salt));
    const all = await dump();
    expect(salts.filter((salt) => !left.has(salt)).length).toBe(erased.contents);
    expect(salts.filter((salt) => !left.has(salt) && all.includes(salt))).toEqual([]);
    expect(await fsck(pool, plane.workspace, [], { scope: 'all' })).toMatchObject({ ok: true });
    await untilCovered();
    const report = await verified();
    expect(report.checks.filter(({ state }) => state === 'fail')).toEqual([]);
    // The sealed argument is named by an action that is gone too, so nobody misses it.
    expect(report.checks.find(({ id }) => id === 'contents')).toMatchObject({ state: 'pass', detail: expect.stringContaining(`; 0 withheld, ${String(erased.contents - 1)} erased.`) });
    expect(report.rederived.notes.map(({ detail }) => detail)).toEqual(['The action is erased.', 'The action is erased.']);
    expect(report.rederived.reproduced).toBeGreaterThan(0);
  });

  it('one action takes with it what later decisions of its session may quote, and leaves what was said before', async () => {
    const one = await sessionSaying('one');
    await end(one);
    valueOf(await eraseContent(parts, by, { action: one.action, cause: 'asked', reason: 'Its output named a person.' }));
    expect(await found('one')).toEqual(['plain-one-attribute', 'plain-one-content', 'plain-one-message', 'plain-one-request']);
    expect(await fsck(pool, plane.workspace, [], { scope: 'all' })).toMatchObject({ ok: true });
  });

  it('a single output goes with the step of the session that repeats it', async () => {
    const single = await sessionSaying('single');
    await end(single);
    const digest = (await parts.actions.find([single.action])).get(single.action)?.output as Digest;
    valueOf(await eraseContent(parts, by, { content: digest, session: single.session, cause: 'asked', reason: 'Asked.' }));
    expect(await found('single')).not.toContain('plain-single-output');
    expect(await found('single')).toContain('plain-single-secret');
    await untilCovered();
    expect((await verified(single.session)).checks.filter(({ state }) => state === 'fail')).toEqual([]);
  });

  it('what has not ended is refused: first the action that waits, then the session that is open', async () => {
    const live = await sessionSaying('live');
    const wanted = { session: live.session, cause: 'asked', reason: 'Asked.' } as const;
    expect(await eraseContent(parts, by, wanted)).toMatchObject({ ok: false, error: { code: 'conflict', detail: expect.stringContaining('is open') } });
    await expect(pool.query(`UPDATE "context_entries" SET "body" = '{"kind":"erased"}' WHERE "session_id" = $1`, [live.session])).rejects.toThrow('append-only');
    await pool.query(`UPDATE "sessions" SET "state" = 'closed' WHERE "id" = $1`, [live.session]);
    expect(await eraseContent(parts, by, wanted)).toMatchObject({ ok: false, error: { code: 'conflict', detail: expect.stringContaining(live.held) } });
    await expect(pool.query(`UPDATE "context_entries" SET "body" = '{}' WHERE "session_id" = $1`, [live.session])).rejects.toThrow('append-only');
    expect(await found('live')).toHaveLength(8);
    await pool.query(`UPDATE "sessions" SET "state" = 'open' WHERE "id" = $1`, [live.session]);
    await end(live);
    expect((await eraseContent(parts, by, wanted)).ok).toBe(true);
    expect(await eraseContent(parts, by, wanted)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('a content of another session is refused, so that nothing goes that has not ended', async () => {
    const open = await sessionSaying('foreign');
    const ended = await sessionSaying('ended');
    await end(ended);
    const digest = (await parts.actions.find([open.held])).get(open.held)?.asked as Digest;
    expect(await eraseContent(parts, by, { content: digest, session: ended.session, cause: 'asked', reason: 'Asked.' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect([...(await parts.content.find([digest])).keys()]).toEqual([digest]);
    await end(open);
  });

  it('takes along what was said between its first look and its lock', async () => {
    const raced = await sessionSaying('raced');
    let looked = false;
    const transactor: EraseParts['transactor'] = {
      ...parts.transactor,
      withHead: async (work) => {
        if (!looked) {
          looked = true;
          await call('desk', 'POST', `/v1/sessions/${raced.session}/messages`, { text: 'And plain-raced-late.' });
          await call('helper', 'POST', '/v1/actions', { session: raced.session, tool: 'email', operation: 'send', parameters: { to: 'mia@harbor.example', body: 'plain-raced-late' } });
          for (const id of await plane.stores.actions.ofSession(raced.session, ['permitted']).then((rows) => rows.map((row) => row.id))) await call('helper', 'DELETE', `/v1/actions/${id}`);
          await end(raced);
        }
        return await parts.transactor.withHead(work);
      },
    };
    valueOf(await eraseContent({ ...parts, transactor }, by, { session: raced.session, cause: 'asked', reason: 'Asked.' }));
    expect(await found('raced')).toEqual([]);
  });

  it('its receipt says who erased what and why, and nothing of what it was', async () => {
    const said = await sessionSaying('said');
    await end(said);
    valueOf(await eraseContent(parts, by, { session: said.session, cause: 'asked', reason: 'Request 12.' }));
    const [row] = (await parts.log.search({ kind: 'content_erased', session: said.session }, { limit: 1 })).rows;
    const { predicate } = JSON.parse(Buffer.from(JSON.parse(row?.envelope ?? '{}').payload, 'base64').toString());
    expect(predicate).toMatchObject({ by, cause: 'asked', reason: 'Request 12.', session: said.session, entries: 5 });
    expect(predicate.digests.length).toBeGreaterThan(6);
  });

  it('retention erases what ended before its time, each session with its receipt, and goes on where it stopped', async () => {
    const old = await sessionSaying('old');
    const young = await sessionSaying('young');
    await end(old);
    await end(young);
    await pool.query(`UPDATE "sessions" SET "closed_at" = '2020-01-01' WHERE "id" = $1`, [old.session]);
    const wanted = { at: '2020-06-01T00:00:00.000Z', reason: '90 days.', limit: 10 };
    expect(valueOf(await eraseEndedBefore(parts, by, wanted))).toMatchObject({ sessions: 1, receipts: 1 });
    expect(await found('old')).toEqual([]);
    expect(await found('young')).toHaveLength(8);
    expect(valueOf(await eraseEndedBefore(parts, by, wanted))).toMatchObject({ sessions: 0, receipts: 0 });
  });
});
