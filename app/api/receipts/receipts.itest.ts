import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { permissionsByRole } from '@/lib/authority/roles';
import { createLogger } from '@/lib/server/logger';
import { testConsole } from '@/lib/testing/console-fixture';
import { aReceipt } from '@/lib/testing/row-builders';
import { openTestStores, type TestStores } from '@/lib/testing/test-stores';

import { GET as timeline } from '../sessions/[id]/timeline/route';
import { GET as detail } from './[id]/route';
import { GET as evidence } from './[id]/evidence/route';
import { GET as csv } from './csv/route';
import { GET as gaps } from './gaps/route';
import { GET as reconciliation } from './reconciliation/route';
import { GET as counts } from './reconciliation/counts/route';
import { GET as list } from './route';
import { GET as views } from './views/route';

const state = vi.hoisted((): { viewer: unknown; parts: unknown } => ({ viewer: null, parts: undefined }));
vi.mock('@/lib/server/get-viewer', () => ({ getViewer: async () => state.viewer }));
vi.mock('@/lib/server/runtime-or-fault', () => ({
  runtimeOrFault: async () => ({ ok: true, value: { parts: state.parts, logger: createLogger('test', { level: 'error', write: () => undefined }) } }),
}));

const as = (role: 'auditor' | 'owner' | 'admin' | 'approver' | 'requester') => ({
  person: 'per_0123456789abcdefghij', email: 'x@y.example', name: 'X', roles: [role], groups: [], keys: [], permissions: permissionsByRole[role],
});
type Route = (request: NextRequest, context: { readonly params: Promise<Record<string, string>> }) => Promise<Response>;
const get = async (route: Route, search = '', params: Record<string, string> = {}) => await route(new NextRequest(`http://console.example/x${search}`), { params: Promise.resolve(params) });

const receipt = 'rcp_0123456789abcdefghij';
const session = 'ses_0123456789abcdefghij';
const routes: readonly (readonly [string, Route, string, Record<string, string>])[] = [
  ['the list', list, '', {}], ['a receipt', detail, '', { id: receipt }], ['its evidence', evidence, '', { id: receipt }], ['the table', csv, '', {}], ['gaps', gaps, '', {}],
  ['what did not come', reconciliation, '?list=outcome_missing', {}], ['how much of it', counts, '', {}], ['saved views', views, '', {}], ['a session’s history', timeline, '?around=0', { id: session }],
];

let database: TestStores;
let stateDirectory: string;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await openTestStores();
  stateDirectory = await mkdtemp(path.join(os.tmpdir(), 'countersign-routes-'));
  const joined = await testConsole({ databaseUrl: database.url, workspace: database.workspace, stateDirectory });
  close = joined.close;
  state.parts = joined.parts;
  await joined.parts.transactor.withHead(async (tx) => { await joined.parts.ledger.append(tx, await Promise.all(Array.from({ length: 3 }, () => aReceipt(database.workspace)))); });
});
afterAll(async () => {
  await close();
  await database.close();
  await rm(stateDirectory, { recursive: true, force: true });
});

describe.each(routes)('%s', (_what, route, search, params) => {
  it('is nobody’s without a session', async () => {
    state.viewer = null;
    const answer = await get(route, search, params);
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'sign_in_needed' } }]);
  });

  it.each(['admin', 'approver', 'requester'] as const)('is no %s’s', async (role) => {
    state.viewer = as(role);
    const answer = await get(route, search, params);
    expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'forbidden' } }]);
  });

  it.each(['auditor', 'owner'] as const)('is the %s’s', async (role) => {
    state.viewer = as(role);
    expect([200, 404]).toContain((await get(route, search, params)).status);
  });

  it('refuses what it does not know, with a code and the place', async () => {
    state.viewer = as('auditor');
    const answer = await get(route, `${search === '' ? '?' : `${search}&`}mood=good`, params);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'invalid_input' } }]);
  });
});

describe('bad input', () => {
  it.each([
    ['a decision that is none', list, '?decision=MAYBE', 'decision'],
    ['a kind that is none', list, '?kind=rumour', 'kind'],
    ['a span that is none', list, '?span=fortnight', 'span'],
    ['a time without its zone', list, '?from=2026-11-30T10:00', 'from'],
    ['a session that is an action', list, '?session=act_0123456789abcdefghij', 'session'],
    ['a revision below zero', list, '?revision=-1', 'revision'],
    ['a revision that no column holds', list, '?revision=99999999999', 'revision'],
    ['a rule of no letters', list, '?rule=', 'rule'],
    ['a NUL', list, '?text=%00', 'text'],
    ['more rows than a page', list, '?limit=100000', 'limit'],
    ['a table of no known kind', csv as Route, '?kind=rumour', 'kind'],
    ['a list that is none', reconciliation, '?list=denied', 'list'],
    ['an end of another list', reconciliation, '?list=outcome_missing&after=17', 'after'],
    ['a position that is a word', gaps, '?from=here', 'from'],
  ])('such as %s is named', async (_what, route, search, at) => {
    state.viewer = as('auditor');
    const answer = await get(route, search);
    const body = (await answer.json()) as { readonly error: { readonly code: string; readonly issues: readonly { readonly path: string }[] } };
    expect([answer.status, body.error.code]).toEqual([400, 'invalid_input']);
    expect(body.error.issues.map(({ path: place }) => place)).toContain(at);
  });

  it('such as a receipt that is not there is not found', async () => {
    state.viewer = as('auditor');
    expect((await get(detail, '', { id: receipt })).status).toBe(404);
    expect((await get(evidence, '', { id: receipt })).status).toBe(404);
    expect((await get(detail, '', { id: 'x' })).status).toBe(400);
  });
});

describe('the table of receipts', () => {
  it('is a file that leaves a receipt, which is not in it', async () => {
    state.viewer = as('auditor');
    const answer = await get(csv, '?kind=message_recorded');
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="countersign-receipts-[\dT-]+Z\.csv"$/);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    expect(text.startsWith('\ufeffindex,receipt,time_utc,kind,')).toBe(true);
    expect(text.trimEnd().split('\r\n')).toHaveLength(4);
    const { items } = (await (await get(list, '?kind=export_made')).json()) as { readonly items: readonly { readonly person: string }[] };
    expect(items[0]).toMatchObject({ kind: 'export_made', person: 'per_0123456789abcdefghij' });
  });
});
