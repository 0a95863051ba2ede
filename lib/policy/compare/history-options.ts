import type { PriorAction } from '@/lib/context/snapshot';
import type { Field, Predicate, Step } from '@/lib/engine/predicate';
import type { Catalogue, Effect } from '@/lib/mediate/catalogue';

import type { Option } from './context-options';
import { madeId, usualNow, type Draft } from './draft';

export type CountAsked = { readonly field: Extract<Field, { of: 'count' }>; readonly limits: readonly number[] };
export type SequenceAsked = Extract<Predicate, { is: 'sequence' }>;
export type HistoryAsked = { readonly counts: readonly CountAsked[]; readonly sequences: readonly SequenceAsked[]; readonly keys: readonly string[] };

/** One kind of earlier action; `ageS` before the decision. */
type Unit = { readonly key: string; readonly effects: readonly Effect[]; readonly labels: readonly string[]; readonly ageS: number; readonly amount?: number };
export type History = { readonly units: readonly Unit[]; readonly unseen: Readonly<Record<string, number>> };

/** Of more actions than this only the latest are at hand, so that larger numbers are known by the totals alone. */
const mostUnits = 190;

/** What may have happened before, so that each count stands under, at and over its limits and each sequence is begun, whole or broken. */
export function histories(asked: HistoryAsked, catalogue: Catalogue): readonly History[] {
  return [
    ...asked.counts.flatMap((count) => countHistories(count, catalogue)),
    ...asked.sequences.flatMap((sequence) => sequenceHistories(sequence, catalogue)),
    ...asked.keys.map((key): History => ({ units: [unitOf({ keys: new Set([key]), effects: null, label: null }, key, 30, catalogue)], unseen: {} })),
  ];
}

/** One after the other. */
export const joinHistories = (a: History, b: History): History => ({ units: [...a.units, ...b.units].slice(0, mostUnits), unseen: { ...a.unseen, ...b.unseen } });

/** Keys that a step can mean: those it names, or one for each effect. */
function keysOf({ keys, effects }: Step, catalogue: Catalogue): readonly string[] {
  const all = keys === null ? [...catalogue.entries.keys()] : [...keys];
  const fitting = all.filter((key) => effects === null || effects.some((effect) => effect === catalogue.entries.get(key)?.effect));
  const byEffect = new Map<string, string>();
  for (const key of (fitting.length > 0 ? fitting : all).sort()) {
    const effect = catalogue.entries.get(key)?.effect ?? '';
    if (!byEffect.has(effect)) byEffect.set(effect, key);
  }
  return [...byEffect.values()];
}

function unitOf({ effects, label }: Step, key: string, ageS: number, catalogue: Catalogue, amount?: number): Unit {
  const own = catalogue.entries.get(key)?.effect ?? 'execute';
  const shown = effects === null || effects.includes(own) ? [own] : [own, ...effects.slice(0, 1)];
  return { key, effects: shown, labels: label === null ? [] : [label], ageS, ...(amount === undefined ? {} : { amount }) };
}

function countHistories({ field, limits }: CountAsked, catalogue: Catalogue): readonly History[] {
  const { which, within_s, sums } = field;
  const numbers = [...new Set(limits.flatMap((limit) => (sums === 'amounts' ? [limit, limit + 1, Math.max(0, limit - 1)] : [Math.floor(limit), Math.ceil(limit) + 1, Math.max(0, Math.ceil(limit) - 1)])))].filter((number) => number > 0);
  const near = Math.min(5, within_s ?? 5);
  const found: History[] = [];
  for (const key of keysOf(which, catalogue).slice(0, 4)) {
    for (const number of numbers) {
      if (sums === 'amounts') {
        found.push({ units: [unitOf(which, key, near, catalogue, number)], unseen: {} });
        continue;
      }
      const few = Math.min(number, mostUnits);
      const unit = unitOf(which, key, near, catalogue);
      found.push({ units: Array.from({ length: few }, () => unit), unseen: number > few ? { [key]: number - few } : {} });
      if (within_s !== null) found.push({ units: Array.from({ length: few }, () => ({ ...unit, ageS: within_s + 60 })), unseen: {} });
      if (which.label !== null) found.push({ units: Array.from({ length: few }, () => ({ ...unit, labels: [] })), unseen: {} });
    }
    found.push({ units: [], unseen: { [key]: Math.max(1, ...numbers) } });
    if (sums === 'amounts') found.push({ units: [unitOf(which, key, near, catalogue)], unseen: {} });
  }
  return found;
}

function sequenceHistories({ before, within_s }: SequenceAsked, catalogue: Catalogue): readonly History[] {
  const keys = before.map((step) => keysOf(step, catalogue)[0]);
  if (keys.some((key) => key === undefined)) return [];
  const units = before.map((step, i) => unitOf(step, keys[i] ?? '', before.length - i, catalogue));
  const late = within_s === null ? [] : [{ units: units.map((unit) => ({ ...unit, ageS: within_s + 60 + unit.ageS })), unseen: {} }];
  const missing = units.map((_, i) => ({ units: units.filter((__, j) => j !== i), unseen: {} }));
  const unseen = { units: [], unseen: Object.fromEntries(units.map(({ key }) => [key, 1])) };
  return [{ units, unseen: {} }, ...missing, ...late, unseen, { units: units.map((unit) => ({ ...unit, labels: [] })), unseen: {} }];
}

export const noHistory: History = { units: [], unseen: {} };

export function historyOption({ units, unseen }: History): Option {
  const words = units.length + Object.keys(unseen).length === 0 ? 'nothing before' : `after ${[...tally(units), ...Object.entries(unseen).map(([key, n]) => `${String(n)} × ${key} long before`)].join(', ')}`;
  // Most situations are of one time, and a history of many actions is put into each of them.
  let made: { readonly nowMs: number; readonly history: Draft['history'] } | undefined;
  return {
    words,
    put: (draft: Draft) => {
      made = made?.nowMs === draft.nowMs ? made : { nowMs: draft.nowMs, history: { recent: recentOf(units, draft.nowMs), unseen } };
      draft.history = made.history;
    },
  };
}

function tally(units: readonly Unit[]): readonly string[] {
  const found = new Map<string, number>();
  for (const { key, labels, ageS, amount } of units) {
    const words = [key, labels.length > 0 && `with ${labels.join(', ')}`, amount !== undefined && `of ${String(amount)}`, ageS > 60 && `${String(Math.round(ageS / 60))} min ago`].filter(Boolean).join(' ');
    found.set(words, (found.get(words) ?? 0) + 1);
  }
  return [...found].map(([words, n]) => (n === 1 ? words : `${String(n)} × ${words}`));
}

function recentOf(units: readonly Unit[], nowMs: number): readonly PriorAction[] {
  const sorted = [...units].sort((a, b) => b.ageS - a.ageS);
  return sorted.map(({ key, effects, labels, ageS, amount }, i) => {
    const dot = key.lastIndexOf('.');
    const [effect = 'execute'] = effects;
    return {
      action: madeId('action', `act_${String(i).padStart(22, '0')}`), tool: key.slice(0, dot), operation: key.slice(dot + 1), effect,
      ...(effects.length > 1 ? { effects } : {}), at: new Date((Number.isFinite(nowMs) ? nowMs : usualNow) - ageS * 1000).toISOString(), labels, ...(amount === undefined ? {} : { amount }),
    };
  });
}
