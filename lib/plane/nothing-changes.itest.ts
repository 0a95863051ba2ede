import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createPool } from '@/lib/db/pool';
import { startTestPlane, type TestPlane } from '@/lib/testing/plane-fixture';
import { planePolicy } from '@/lib/testing/plane-policy';

let plane: TestPlane;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  plane = await startTestPlane(planePolicy);
  pool = createPool({ url: plane.databaseUrl, max: 1, onIdleError: () => undefined });
}, 60_000);
afterAll(async () => {
  await pool.end();
  await plane.stop();
});

/** Everything that says who may do what. Sessions, actions and proposals are what these credentials are for. */
const authorityTables = ['trust_roots', 'rosters', 'policy_revisions', 'switches', 'grants', 'agents', 'credentials', 'people', 'key_enrolments', 'ceremonies', 'policy_drafts', 'policy_signing_requests', 'set_up_links'];

async function authorityDigest(): Promise<string> {
  const hash = createHash('sha256');
  for (const table of authorityTables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t ORDER BY 1`);
    hash.update(`${table}\n${rows.map(({ row }) => row).join('\n')}\n`);
  }
  const { rows } = await pool.query('SELECT epoch::text FROM ledger_heads');
  return hash.update(JSON.stringify(rows)).digest('hex');
}

/** Each would do harm if a route took it. */
const bodies: readonly (object | undefined)[] = [
  undefined,
  {},
  { text: planePolicy.replaceAll('action: DENY', 'action: ALLOW'), format: 'yaml' },
  { base: { revision: 1, digest: 'a'.repeat(64) }, text: 'rules: []', reason: 'Because I can.' },
  { grant: { agent: 'helper', tool: 'database', operation: null, scope: null, uses: 1000, expires_at: '2099-01-01T00:00:00.000Z' }, reason: 'Because I can.' },
  { scope: 'all', subject: '', on: false, reason: 'Released.' },
  { person: 'per_0123456789abcdefghij12', roles: ['owner', 'approver'], groups: ['approver'] },
  { kind: 'orchestrator', subject: 'intruder', scopes: ['*'] },
];
const filledIn = (path: string): string =>
  path.replace(/\{\w+\}/g, () => `${{ sessions: 'ses', actions: 'act', permits: 'pmt', receipts: 'rcp', proposals: 'prp' }[/^\/v1\/(\w+)/.exec(path)?.[1] ?? ''] ?? 'x'}_0123456789abcdefghij12`);

describe('with every kind of credential of the plane, and with none', () => {
  it('no route, and no path beside them, changes any policy, grant, key, role, credential or setting', async () => {
    const { paths } = (await plane.call(null, 'GET', '/openapi.json')).body as { readonly paths: Readonly<Record<string, object>> };
    const routes = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), filledIn(path)] as const));
    expect(routes.length).toBeGreaterThan(20);
    const beside = ['policy', 'grants', 'roster', 'trust-root', 'settings', 'switches', 'people', 'agents', 'credentials', 'keys'].flatMap((what) => (['PUT', 'POST', 'PATCH', 'DELETE'] as const).map((method) => [method, `/v1/${what}`] as const));
    const before = await authorityDigest();
    const tokens = [null, 'csa_0123456789012345678901234567890123456789012', ...['helper', 'explainer', 'desk', 'gate', 'records'].map((who) => plane.token(who))];
    const statuses = new Map<number, number>();
    for (const token of tokens) {
      await Promise.all([...routes, ...beside].map(async ([method, path]) => {
        for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : bodies) {
          const { status } = await fetch(plane.url + path, { method, headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }));
      expect(await authorityDigest(), `with ${token?.slice(0, 4) ?? 'nothing'}`).toBe(before);
    }
    // It is refusals that were met, and not a plane that does not answer.
    expect(statuses.get(403) ?? 0).toBeGreaterThan(20);
    expect(statuses.get(401) ?? 0).toBeGreaterThan(50);
  }, 120_000);

  it('a table that is changed shows in what is compared', async () => {
    const before = await authorityDigest();
    await plane.stores.transactor.withHead(async (tx) => {
      await plane.stores.authority.throwSwitch(tx, { scope: 'tool', subject: 'x', thrown_by: 'test', thrown_at: new Date().toISOString() });
    });
    expect(await authorityDigest()).not.toBe(before);
  });
});
