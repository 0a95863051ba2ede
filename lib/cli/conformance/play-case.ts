import { setTimeout as pause } from 'node:timers/promises';

import { AdapterGone, type Adapter } from './adapter';
import type { Call, Reply } from './call';
import type { Case, Step, Want } from './case-schema';
import { compareReply } from './compare-reply';
import type { Suite } from './load-suite';

export type CaseResult = {
  readonly id: string;
  readonly shows: Case['shows'];
  readonly says: string;
  readonly outcome: 'passed' | 'failed' | 'unsupported';
  /** What went otherwise than wanted, or what the system has no way to do. */
  readonly because: readonly string[];
};

/** Ids by the names that a case gives them, and how far each session's chain was seen. */
type Played = {
  readonly sessions: Map<string, { readonly id: string; readonly agent: string }>;
  readonly actions: Map<string, string>;
  readonly chains: Map<string, readonly string[]>;
};

/** Nothing of a case is left behind: its sessions are closed whatever became of it, and the system is as it was found. */
export async function playCase(one: Case, suite: Suite, adapter: Adapter): Promise<CaseResult> {
  const played: Played = { sessions: new Map(), actions: new Map(), chains: new Map() };
  const result = (outcome: CaseResult['outcome'], because: readonly string[] = []): CaseResult => ({ id: one.id, shows: one.shows, says: one.says, outcome, because });
  try {
    for (const [at, step] of openingOf(one).concat(one.steps).entries()) {
      const { reply, wrong } = await settled(step, one, suite, adapter, played);
      if (reply.unsupported !== undefined) return result('unsupported', [reply.unsupported]);
      note(step, reply, played);
      if (wrong.length > 0) return result('failed', wrong.map((words) => `${nameOf(step, at, one)}: ${words}`));
    }
    return result('passed');
  } catch (error) {
    if (error instanceof AdapterGone) throw error;
    return result('failed', [error instanceof Error ? error.message : String(error)]);
  } finally {
    await clear(one, played, adapter);
  }
}

/** Looks again while a look is not as wanted and the system may still be settling; everything else is done once. */
async function settled(step: Step, one: Case, suite: Suite, adapter: Adapter, played: Played): Promise<{ readonly reply: Reply; readonly wrong: readonly string[] }> {
  const call = callOf(step, one, suite, played);
  const seen = step.do === 'look_at_session' ? (played.chains.get(step.in) ?? []) : [];
  for (let waited = 0, next = call; ; waited += pauseMs, next = { ...call, ...(call.call === 'state' ? { after_s: 0 } : {}) }) {
    const reply = await adapter.ask(next);
    const wrong = compareReply(wantOf(step, played), reply, seen);
    if (wrong.length === 0 || call.call !== 'state' || reply.unsupported !== undefined || waited >= adapter.settleMs) return { reply, wrong };
    await pause(pauseMs);
  }
}

const pauseMs = 100;

/** What every case begins with, unless it says otherwise. */
function openingOf(one: Case): readonly Step[] {
  const load: Step = { do: 'load', policy: one.policy, rules: one.rules, settings: one.settings, signed: true, want: { loaded: true } };
  return one.session === null ? [load] : [load, { do: 'open', as: 'main', ...one.session, want: { state: 'open' } }];
}

function nameOf(step: Step, at: number, one: Case): string {
  const own = at - openingOf(one).length;
  return own < 0 ? `opening (${step.do})` : `step ${String(own + 1)} (${step.do})`;
}

function callOf(step: Step, one: Case, { cast, policyOf }: Suite, played: Played): Call {
  const session = (name: string): string => played.sessions.get(name)?.id ?? name;
  const action = (name: string): string => played.actions.get(name) ?? name;
  switch (step.do) {
    case 'load':
      return { call: 'load_policy', policy: policyOf(step.policy ?? one.policy, step.rules, step.settings), signed: step.signed, cast };
    case 'open':
      return { call: 'open_session', human: step.human, agent: step.agent, request: step.request, parent: step.parent === undefined ? null : session(step.parent) };
    case 'propose': {
      const { tool, operation, parameters, reason } = step;
      const agent = step.agent ?? played.sessions.get(step.in)?.agent ?? 'clerk';
      return { call: 'act', do: 'propose', session: session(step.in), agent, tool, operation, parameters, depends_on: step.depends_on.map(action), reason };
    }
    case 'execute':
    case 'withdraw':
      return { call: 'act', do: step.do, action: action(step.action) };
    case 'report':
      return { call: 'act', do: 'report', action: action(step.action), by: step.by, status: step.status, output: step.output };
    case 'message':
      return { call: 'supply', do: 'message', session: session(step.in), text: step.text };
    case 'attribute':
      return { call: 'supply', do: 'attribute', session: session(step.in), by: step.by, subject: step.subject, name: step.name, value: step.value };
    case 'vote':
      return { call: 'supply', do: 'vote', action: action(step.action), by: step.by, verdict: step.verdict };
    case 'finding':
      return { call: 'supply', do: 'finding', session: session(step.in), verdict: step.verdict, path: step.path };
    case 'answer':
      return { call: 'supply', do: 'answer', session: session(step.in), answer: step.answer };
    case 'kill_switch':
      return { call: 'supply', do: 'kill_switch', on: step.on };
    case 'suspend':
      return { call: 'supply', do: 'suspend', agent: step.agent, on: step.on };
    case 'close':
      return { call: 'supply', do: 'close', session: session(step.in) };
    case 'look':
      return { call: 'state', of: 'action', id: action(step.action), after_s: step.after_s };
    case 'look_at_session':
      return { call: 'state', of: 'session', id: session(step.in), after_s: step.after_s };
  }
}

/** The wanted identity names the case's session; the reply has its id. */
function wantOf({ want = {} }: Step, { sessions }: Played): Want {
  if (want.identity === undefined) return want;
  const { session, delegation, ...who } = want.identity;
  const idOf = (name: string): string => sessions.get(name)?.id ?? name;
  return { ...want, identity: { ...who, session: idOf(session), ...(delegation ? { delegation: delegation.map(idOf) } : {}) } };
}

function note(step: Step, reply: Reply, played: Played): void {
  if (step.do === 'open' && reply.session !== undefined) played.sessions.set(step.as, { id: reply.session, agent: step.agent });
  if (step.do === 'propose' && reply.action !== undefined) played.actions.set(step.as, reply.action);
  if (step.do === 'look_at_session' && reply.chain) played.chains.set(step.in, reply.chain.map(({ hash }) => hash));
}

async function clear(one: Case, { sessions }: Played, adapter: Adapter): Promise<void> {
  const calls: Call[] = [...sessions.values()].map(({ id }) => ({ call: 'supply', do: 'close', session: id }));
  if (one.steps.some((step) => step.do === 'kill_switch')) calls.push({ call: 'supply', do: 'kill_switch', on: false });
  for (const step of one.steps) if (step.do === 'suspend') calls.push({ call: 'supply', do: 'suspend', agent: step.agent, on: false });
  // A system that a case broke says so by itself in the next one.
  for (const call of calls) await adapter.ask(call).catch(() => ({}));
}
