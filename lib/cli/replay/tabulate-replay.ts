import type { ReplayedTrace } from './replayed-trace';
import { scoreReplay, type ReplayScore } from './score-replay';
import { wilsonInterval } from './wilson';

const heads = ['suite', 'honest', 'straight through', 'held', 'refused', 'attacks', 'stopped'] as const;

/** A table by suite, with a last line for all of them: counts, shares in percent and their 95 % intervals. */
export function tabulateReplay(replayed: readonly ReplayedTrace[]): string {
  const suites = [...new Set(replayed.map(({ trace }) => trace.suite))].sort();
  const rows = suites.map((suite) => row(suite, scoreReplay(replayed.filter(({ trace }) => trace.suite === suite))));
  if (suites.length !== 1) rows.push(row('all', scoreReplay(replayed)));
  const table = [[...heads], ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table.map((cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')).join('\n');
}

function row(name: string, { benign, attack }: ReplayScore): string[] {
  const honest = [benign.straight_through, benign.held, benign.refused].map((count) => share(count, benign.traces));
  return [name, String(benign.traces), ...honest, String(attack.traces), share(attack.stopped, attack.traces)];
}

function share(count: number, of: number): string {
  const interval = wilsonInterval(count, of);
  if (!interval) return '–';
  const percent = (value: number): string => (100 * value).toFixed(1);
  return `${String(count)} (${percent(count / of)} %; ${percent(interval[0])}–${percent(interval[1])})`;
}
