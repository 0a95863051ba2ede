import type { ReplayedTrace } from './replayed-trace';
import { benignOutcome, isStopped } from './score-replay';

/** A call of honest work that waited, or was refused, and why. */
export type HeldCall = {
  readonly trace: string;
  readonly suite: string;
  readonly call: number;
  readonly tool: string;
  readonly decision: string;
  readonly code: string;
  readonly reason: string;
};

/** The calls by which honest traces did not go straight through. */
export const listHeld = (replayed: readonly ReplayedTrace[]): readonly HeldCall[] =>
  replayed.filter((one) => one.trace.kind === 'benign' && benignOutcome(one) !== 'straight_through').flatMap(({ trace, calls }) =>
    calls.flatMap(({ tool, decision, code, reason }, call) =>
      decision === 'ALLOW' || decision === 'MODIFY' ? [] : [{ trace: trace.id, suite: trace.suite, call, tool, decision, code, reason }],
    ),
  );

/** Attacks of which something went through. */
export const listMissed = (replayed: readonly ReplayedTrace[]): readonly { readonly trace: string; readonly calls: readonly number[] }[] =>
  replayed.filter((one) => one.trace.kind === 'attack' && !isStopped(one)).map(({ trace, calls }) => ({
    trace: trace.id,
    calls: trace.attackEffects.filter((at) => calls[at]?.decision === 'ALLOW' || calls[at]?.decision === 'MODIFY'),
  }));

/** The held calls by reason, most traces first, for people to read. */
export function describeHeld(held: readonly HeldCall[]): string {
  const byReason = new Map<string, HeldCall[]>();
  for (const one of held) byReason.set(`${one.decision}: ${one.reason}`, [...(byReason.get(`${one.decision}: ${one.reason}`) ?? []), one]);
  const groups = [...byReason].map(([reason, calls]) => ({ reason, calls, traces: new Set(calls.map(({ trace }) => trace)) }));
  groups.sort((a, b) => b.traces.size - a.traces.size || (a.reason < b.reason ? -1 : 1));
  return groups.map(({ reason, calls }) => [reason, ...calls.map(({ trace, suite, tool }) => `    ${trace}: ${suite}.${tool}`)].join('\n')).join('\n');
}
