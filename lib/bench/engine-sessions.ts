import type { ContextEntry } from '@/lib/context/entry';
import { emptyState, type SessionState } from '@/lib/context/session-state';
import { takeSnapshot } from '@/lib/context/take-snapshot';
import { decide } from '@/lib/engine/decide';
import type { CompiledPolicy } from '@/lib/engine/policy';

import { benchNow, extend, type EngineCase } from './engine-cases';
import { median, rounded, usEach } from './engine-clock';
import { actionId, sessionId } from './engine-ids';
import { heapMegabytes } from './engine-load';

const lengths = [10, 10_000] as const;
const rounds = 400;

export type SessionFigures = {
  /** Snapshot and decision together, by the number of actions that the session has taken. */
  readonly snapshot_and_decide_us: Readonly<Record<string, number>>;
  readonly ratio_10000_to_10: number;
  readonly memory_mb: Readonly<Record<string, number>>;
  /** Deriving one entry (its hash, and what it changes) in a session that has seen so many values. */
  readonly context_entry_ms: { readonly values: number; readonly permit: number; readonly outcome: number };
};

/** Deciding in a session that has lasted, and taking in its next entry. The two lengths take turns. */
export function benchSessions(policy: CompiledPolicy, cases: readonly EngineCase[]): SessionFigures {
  const before = heapMegabytes();
  const long = sessionOf(10_000);
  const at10000 = heapMegabytes();
  for (let n = 10_000; n < 20_000; n++) takeAction(long, n);
  const memory_mb = { '10000': rounded(at10000 - before), '20000': rounded(heapMegabytes() - before) };

  const states = lengths.map((length) => sessionOf(length));
  const times = states.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    states.forEach((state, which) => times[which]?.push(usEach(cases, (one) => decide(one.action, takeSnapshot(state, one.action, one.evidence), policy, benchNow))));
  }
  const [short = Number.NaN, grown = Number.NaN] = times.map((each) => median(each.slice(rounds / 4)));
  return {
    snapshot_and_decide_us: { '10': rounded(short), '10000': rounded(grown) },
    ratio_10000_to_10: rounded(grown / short),
    memory_mb,
    context_entry_ms: benchEntries(),
  };
}

function benchEntries(): SessionFigures['context_entry_ms'] {
  const state = sessionOf(0);
  for (let n = 0; state.values.size < 10_000; n++) takeAction(state, n);
  const values = state.values.size;
  const [permits, outcomes]: [number[], number[]] = [[], []];
  for (let n = 1_000_000; n < 1_000_000 + rounds; n++) {
    permits.push(usEach([n], () => { extend(state, permitted(n)); }) / 1000);
    outcomes.push(usEach([n], () => { extend(state, reported(n)); }) / 1000);
  }
  return { values, permit: rounded(median(permits)), outcome: rounded(median(outcomes)) };
}

function sessionOf(actions: number): SessionState {
  const state = emptyState(sessionId(1));
  extend(state, { kind: 'request', at: benchNow, text: 'Tell ann@harbor.example how the orders of week 48 stand.', assurance: 'orchestrator' });
  for (let n = 0; n < actions; n++) takeAction(state, n);
  return state;
}

function takeAction(state: SessionState, n: number): void {
  extend(state, permitted(n));
  extend(state, reported(n));
}

const permitted = (n: number): ContextEntry => ({
  kind: 'permit', at: new Date(Date.parse(benchNow) - 30 * 60_000 + n).toISOString(), action: actionId(n), tool: 'email', operation: 'send', effect: 'communicate', decision: 'ALLOW',
  labels: ['INTERNAL'], recipients: ['ann@harbor.example'],
  parameters: { to: 'ann@harbor.example', subject: `Order ${String(4000 + n)}`, body: `Order ${String(4000 + n)} of customer-${String(n % 977)} is late; the carrier promised 2030-06-${String(1 + (n % 28)).padStart(2, '0')}.` },
});

/** An answer of some hundred words, half of them new. */
const reported = (n: number): ContextEntry => ({
  kind: 'outcome', at: benchNow, action: actionId(n), status: 'succeeded', reporter: 'enforcement_point', trusted: false, labels: [],
  output: Array.from({ length: 20 }, (_, line) => `{"order":${String(n * 20 + line)},"customer":"customer-${String((n * 7 + line) % 5000)}","total":"${String((n * 13 + line) % 900)}.50"}`).join('\n'),
});
