import { describe, expect, it, vi } from 'vitest';

import type { JsonObject } from '@/lib/shared/json';

import { resumeAction } from './follow-action';
import { guard } from './guard';
import type { GuardOptions, Tool } from './guarded-tool';
import { createPlaneClient } from './plane-client';
import type { Fetch } from './send-call';

const action = 'act_0000000000000000000000';
const permit = 'pmt_0000000000000000000000';
const session = 'ses_0000000000000000000000';
const approval = { id: 'apr_0000000000000000000000', expires_at: '2030-01-01T00:00:00.000Z', quorum: { needed: 1, given: 0 }, url: 'http://console.example/approvals' };
const view = { id: action, decision: 'ALLOW', state: 'permitted', code: 'allowed', reason: 'Reading is fine.', receipt: { id: 'rcp_0000000000000000000000', index: 4 } };
const allowed = { ...view, permit: { id: permit, expires_at: '2030-01-01T00:00:00.000Z', envelope: {} } };
const held = { ...view, decision: 'STEP_UP', state: 'held', code: 'needs_approval', approval };
const denied = { ...view, decision: 'DENY', state: 'denied', code: 'denied_by_rule', reason: 'No.', guidance: 'Ask first.' };
const redeemed = { action, execute: { tool: 'files', operation: 'delete', parameters: { path: 'a.txt' } }, obligations: [], outcome_due_at: '2030-01-01T00:00:00.000Z' };
const reported = { output: 'gone', labels: ['INTERNAL'] };
const error = (code: string) => ({ error: { code, title: 'T', detail: 'D', errors: [] }, request_id: 'r' });

type Reply = { readonly status?: number; readonly body: unknown } | (() => Promise<Response>);
type Script = { readonly propose?: Reply; readonly wait?: readonly Reply[]; readonly read?: Reply; readonly redeem?: Reply; readonly report?: readonly Reply[] };

/** A plane that answers from a script; `sent` is what it was asked. */
function scripted(script: Script) {
  const waits = [...(script.wait ?? [])];
  const reports = [...(script.report ?? [{ body: reported }])];
  const sent: { readonly what: string; readonly body: unknown; readonly token: string | null }[] = [];
  const pick = (method: string, path: string): [string, Reply | undefined] => {
    if (path === '/v1/actions') return ['propose', script.propose ?? { body: allowed }];
    if (path.endsWith('/redeem')) return ['redeem', script.redeem ?? { body: redeemed }];
    if (path.endsWith('/outcome')) return ['report', reports.length > 1 ? reports.shift() : reports[0]];
    if (path.includes('?wait=')) return ['wait', waits.shift()];
    return [method === 'GET' ? 'read' : 'other', script.read];
  };
  const fetch: Fetch = async (url, init) => {
    const [what, reply] = pick(init.method ?? '', url.replace('http://plane.example', ''));
    sent.push({ what, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined, token: new Headers(init.headers).get('authorization') });
    if (!reply) throw new Error(`Nothing is scripted for ${what}.`);
    if (typeof reply === 'function') return await reply();
    return new Response(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body), { status: reply.status ?? 200 });
  };
  return { fetch, sent };
}

function trial(script: Script, more: Partial<GuardOptions> & { readonly tool?: Partial<Tool>; readonly timeoutMs?: number } = {}) {
  const { fetch, sent } = scripted(script);
  const run = vi.fn((_parameters: JsonObject): unknown => 'gone');
  const tool: Tool = { tool: 'files', operation: 'delete', run, ...more.tool };
  const plane = createPlaneClient({ url: 'http://plane.example/', token: 'agent', fetch, timeoutMs: more.timeoutMs ?? 1000 });
  const options = { plane, session, pause: async () => undefined, ...more };
  const call = guard<{ path: string }>(tool, options);
  return { call: () => call({ path: 'mine.txt' }, { reason: 'because' }), resume: () => resumeAction(tool, options, action), run, sent, what: () => sent.map((one) => one.what), fetch };
}

describe('what is permitted', () => {
  it('runs exactly what the plane returns, never the own copy', async () => {
    const { call, run } = trial({});
    expect(await call()).toEqual({ outcome: 'succeeded', action, executed: redeemed.execute, output: 'gone', labels: ['INTERNAL'] });
    expect(run.mock.calls.map(([parameters]) => parameters)).toEqual([{ path: 'a.txt' }]);
  });

  it('hands over the guarded output, not the one that the tool gave', async () => {
    const { call } = trial({ report: [{ body: { output: 'key [redacted]', labels: [] } }] }, { tool: { run: () => 'key AKIA…' } });
    expect(await call()).toMatchObject({ outcome: 'succeeded', output: 'key [redacted]' });
  });

  it('waits in rounds while people decide, and then runs', async () => {
    const seen: string[] = [];
    const { call, what } = trial({ propose: { body: held }, wait: [{ body: held }, { body: { ...held, state: 'permitted', permit: allowed.permit } }] }, { onSeen: ({ state }) => seen.push(state) });
    expect(await call()).toMatchObject({ outcome: 'succeeded' });
    expect(what()).toEqual(['propose', 'wait', 'wait', 'redeem', 'report']);
    expect(seen).toEqual(['held', 'held', 'permitted']);
  });

  it('is what a person made of the action, when one changed it', async () => {
    const next = 'act_1111111111111111111111';
    const superseded = { ...held, state: 'superseded', code: 'action_superseded', reason: 'A person changed it.', superseded_by: next };
    const execute = { tool: 'files', operation: 'delete', parameters: { path: 'b.txt' } };
    const edited = trial({ propose: { body: held }, wait: [{ body: superseded }], read: { body: { ...allowed, id: next } }, redeem: { body: { ...redeemed, action: next, execute } } });
    expect(await edited.call()).toMatchObject({ outcome: 'succeeded', action: next, executed: execute });
    expect(edited.what()).toEqual(['propose', 'wait', 'read', 'redeem', 'report']);
    expect(await trial({ propose: { body: superseded }, read: { body: { ...denied, id: next } } }).call()).toMatchObject({ outcome: 'denied', code: 'denied_by_rule', action: next });
    for (const read of [{ body: allowed }, { status: 404, body: error('not_found') }]) {
      const lost = trial({ propose: { body: superseded }, read });
      expect(await lost.call()).toMatchObject({ outcome: 'denied', ran: false });
      expect(lost.run).not.toHaveBeenCalled();
    }
    expect(await trial({ propose: { body: { ...superseded, superseded_by: undefined } } }).call()).toMatchObject({ outcome: 'denied', code: 'action_superseded' });
  });

  it('is redeemed and reported with the enforcement credential where there is one', async () => {
    const { fetch, sent } = scripted({});
    const client = (token: string) => createPlaneClient({ url: 'http://plane.example', token, fetch });
    await guard({ tool: 'files', operation: 'delete', run: () => null }, { plane: client('agent'), enforcement: client('gate'), session })({});
    expect(sent.map(({ what, token }) => [what, token])).toEqual([['propose', 'Bearer agent'], ['redeem', 'Bearer gate'], ['report', 'Bearer gate']]);
  });

  it('is reported as failed when the tool fails, its words through the guards too', async () => {
    const { call, sent } = trial({ report: [{ body: { output: 'Error: no such file', labels: [] } }] }, { tool: { run: () => Promise.reject(new Error('no such file')) } });
    expect(await call()).toMatchObject({ outcome: 'failed', output: 'Error: no such file' });
    expect(sent.at(-1)?.body).toEqual({ status: 'failed', output: 'Error: no such file', error: 'Error: no such file' });
  });

  it('can be taken up again by its id after a restart', async () => {
    const { resume, what } = trial({ read: { body: held }, wait: [{ body: { ...held, state: 'permitted', permit: allowed.permit } }] });
    expect(await resume()).toMatchObject({ outcome: 'succeeded' });
    expect(what()).toEqual(['read', 'wait', 'redeem', 'report']);
  });
});

describe('nothing runs', () => {
  const hang = () => new Promise<Response>(() => undefined);
  const never = (): Promise<Response> => Promise.reject(new TypeError('connection refused'));
  const slowBody = async () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) }));
  const cases: readonly (readonly [string, Script, string])[] = [
    ['a denial of the policy', { propose: { body: denied } }, 'denied_by_rule'],
    ['an ALLOW without a permit', { propose: { body: view } }, 'permit_missing'],
    ['a DENY with a permit', { propose: { body: { ...allowed, decision: 'DENY' } } }, 'plane_unreadable'],
    ['a 500', { propose: { status: 500, body: error('internal') } }, 'internal'],
    ['a 500 that looks like an ALLOW', { propose: { status: 500, body: allowed } }, 'plane_unreadable'],
    ['a 503', { propose: { status: 503, body: error('unavailable') } }, 'unavailable'],
    ['a 503 of a proxy', { propose: { status: 503, body: '<html>' } }, 'plane_unreadable'],
    ['a refusal', { propose: { status: 403, body: error('forbidden') } }, 'forbidden'],
    ['an answer with another status that looks like an ALLOW', { propose: { status: 202, body: allowed } }, 'plane_unreadable'],
    ['a late answer', { propose: hang }, 'plane_late'],
    ['an answer whose body does not come', { propose: slowBody }, 'plane_late'],
    ['an answer that breaks off', { propose: { body: JSON.stringify(allowed).slice(0, -1) } }, 'plane_unreadable'],
    ['no JSON', { propose: { body: 'ALLOW' } }, 'plane_unreadable'],
    ['a repeated key', { propose: { body: JSON.stringify(denied).replace('{', '{"decision":"ALLOW",') } }, 'plane_unreadable'],
    ['an answer that breaks the contract', { propose: { body: { ...allowed, decision: 'YES' } } }, 'plane_unreadable'],
    ['an answer with a field that the contract does not know', { propose: { body: { ...allowed, more: 1 } } }, 'plane_unreadable'],
    ['an answer over the bound', { propose: { body: { ...allowed, reason: 'x'.repeat(3_000_000) } } }, 'plane_unreadable'],
    ['a plane that is not there', { propose: never }, 'plane_unreachable'],
    ['a fault while waiting', { propose: { body: held }, wait: [never] }, 'plane_unreachable'],
    ['an answer about another action while waiting', { propose: { body: held }, wait: [{ body: { ...allowed, id: 'act_1111111111111111111111' } }] }, 'plane_unreadable'],
    ['a denial by a person', { propose: { body: held }, wait: [{ body: { ...held, state: 'denied', code: 'approval_denied' } }] }, 'approval_denied'],
    ['an expiry', { propose: { body: held }, wait: [{ body: { ...held, state: 'expired', code: 'approval_expired' } }] }, 'approval_expired'],
    ['an action that somebody else has run', { propose: { body: { ...view, state: 'succeeded' } } }, 'permit_used'],
    ['a stale permit', { redeem: { status: 409, body: error('permit_stale') } }, 'permit_stale'],
    ['a fault at redeeming', { redeem: never }, 'plane_unreachable'],
    ['a late answer at redeeming', { redeem: hang }, 'plane_late'],
    ['a permit of another action', { redeem: { body: { ...redeemed, action: 'act_1111111111111111111111' } } }, 'plane_unreadable'],
    ['a permit for another tool', { redeem: { body: { ...redeemed, execute: { ...redeemed.execute, tool: 'shell' } } } }, 'not_this_tool'],
    ['an obligation that the tool does not honour', { redeem: { body: { ...redeemed, obligations: [{ kind: 'sandbox', value: 'no-network' }] } } }, 'obligation_unmet'],
  ];
  it.each(cases)('after %s', async (_what, script, code) => {
    const { call, run } = trial(script, { timeoutMs: 40, roundSeconds: 0 });
    expect(await call()).toMatchObject({ outcome: 'denied', code, ran: false });
    expect(run).not.toHaveBeenCalled();
  });

  it('and the plane is told so when a redeemed permit cannot be used', async () => {
    const { call, sent } = trial({ redeem: { body: { ...redeemed, obligations: [{ kind: 'sandbox', value: 'no-network' }] } } });
    await call();
    expect(sent.at(-1)).toMatchObject({ what: 'report', body: { status: 'failed', error: 'It was not run: This tool cannot honour sandbox.' } });
  });

  it('once the caller has given up', async () => {
    const controller = new AbortController();
    const { call, run } = trial({ propose: { body: held }, wait: [hang] }, { signal: controller.signal, onSeen: () => controller.abort() });
    expect(await call()).toMatchObject({ outcome: 'denied', code: 'stopped', action });
    expect(run).not.toHaveBeenCalled();
  });

  it('and the denial says what to do instead', async () => {
    expect(await trial({ propose: { body: denied } }).call()).toEqual({ outcome: 'denied', code: 'denied_by_rule', reason: 'No.', guidance: 'Ask first.', action, decision: 'DENY', ran: false });
  });
});

describe('an outcome', () => {
  it('is reported again when the report did not get through', async () => {
    const { call, run, what } = trial({ report: [{ status: 503, body: error('unavailable') }, () => Promise.reject(new TypeError('reset')), { body: reported }] });
    expect(await call()).toMatchObject({ outcome: 'succeeded' });
    expect(what()).toEqual(['propose', 'redeem', 'report', 'report', 'report']);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('that cannot be reported keeps the output from the agent', async () => {
    const { call, run } = trial({ report: [{ status: 503, body: error('unavailable') }] });
    const answer = await call();
    expect(answer).toMatchObject({ outcome: 'denied', code: 'outcome_unreported', ran: true });
    expect(answer).not.toHaveProperty('output');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('whose output is refused is reported without it', async () => {
    const { call, sent } = trial({ report: [{ status: 413, body: error('too_large') }, { body: { output: null, labels: [] } }] });
    expect(await call()).toMatchObject({ outcome: 'denied', code: 'outcome_unreported', ran: true });
    expect(sent.at(-1)?.body).toEqual({ status: 'succeeded', error: 'The output could not be reported: too_large.' });
  });

  it('is an excerpt when the output is too large, and never anything that is no JSON', async () => {
    const outputOf = async (value: unknown) => {
      const { call, sent } = trial({}, { tool: { run: () => value } });
      await call();
      return (sent.at(-1)?.body as { output: unknown }).output;
    };
    expect(await outputOf(undefined)).toBeNull();
    expect(await outputOf({ text: '\ud800' })).toEqual({ text: '\ufffd' });
    expect(await outputOf('x'.repeat(200_000))).toMatch(/^"x+\n\[an excerpt: 200002 characters in all\]$/);
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(await outputOf(circle)).toBe('[the output is no JSON: TypeError]');
  });
});
