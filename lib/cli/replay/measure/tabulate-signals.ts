import type { MeasuredSignals } from './measure-signals-on';

const heads = ['signal', 'honest effects', 'attacks', 'area under the curve (95 %)'] as const;

/** A line for each signal, the one that tells most first. */
export function tabulateSignals({ signals_version: version, signals }: MeasuredSignals): string {
  const rows = signals.map(({ name, honest, attack, auc }) => [name, String(honest), String(attack), auc ? `${shown(auc.area)} (${shown(auc.low)}–${shown(auc.high)})` : '–']);
  const table = [[...heads], ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '));
  return [`signals, version ${String(version)}`, ...lines].join('\n');
}

const shown = (share: number): string => share.toFixed(3);
