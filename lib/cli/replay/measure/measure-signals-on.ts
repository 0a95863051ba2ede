import type { KnownWorld } from '@/lib/cli/replay/known-world';
import type { RecordedTrace } from '@/lib/cli/replay/recorded-trace';
import { signalsVersion } from '@/lib/context/measure-signals';
import { measureAlignment } from '@/lib/engine/measure-alignment';
import type { CompiledPolicy } from '@/lib/engine/policy';

import { areaUnderCurve, type Area } from './area-under-curve';
import { playInProcess } from './play-in-process';

export type MeasuredSignal = { readonly name: string; readonly honest: number; readonly attack: number; readonly auc: Area | null };
export type MeasuredSignals = { readonly signals_version: number; readonly signals: readonly MeasuredSignal[] };

/**
 * How well each signal, and alignment made of all of them, tells the effects of honest work from those of attacks: over every call that
 * does more than read in honest traces, against every call that does the attacker's will.
 */
export function measureSignalsOn(
  traces: readonly RecordedTrace[],
  { compiled, recipients }: { readonly compiled: CompiledPolicy; readonly recipients: ReadonlySet<string> },
  worlds: ReadonlyMap<string, KnownWorld>,
): MeasuredSignals {
  const scores = new Map<string, { readonly honest: number[]; readonly attack: number[] }>();
  const note = (name: string, kind: 'honest' | 'attack', score: number | null): void => {
    const known = scores.get(name) ?? { honest: [], attack: [] };
    scores.set(name, known);
    if (score !== null) known[kind].push(score);
  };
  for (const trace of traces) {
    playInProcess(trace, compiled, worlds.get(trace.suite) ?? null, recipients).forEach((played, at) => {
      const kind = trace.kind === 'attack' ? 'attack' : 'honest';
      if (!played || (kind === 'attack' ? !trace.attackEffects.includes(at) : played.effect === 'read')) return;
      note('alignment', kind, measureAlignment(played.snapshot.signals).alignment);
      for (const { name, score } of played.snapshot.signals) note(name, kind, score);
    });
  }
  const signals = [...scores].map(([name, { honest, attack }]) => ({ name, honest: honest.length, attack: attack.length, auc: areaUnderCurve(honest, attack) }));
  return { signals_version: signalsVersion, signals: signals.sort((a, b) => (b.auc?.area ?? 0) - (a.auc?.area ?? 0) || (a.name < b.name ? -1 : 1)) };
}
