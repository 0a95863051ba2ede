import type { Field } from '@/lib/engine/predicate';

import { fieldText, wordsOf } from './asked-of';
import type { Option } from './context-options';
import { histories, historyOption, joinHistories, noHistory, type History, type HistoryAsked } from './history-options';
import type { Choice, Held, Place } from './place';
import type { Sign } from './signature';

/** More combinations than this are not tried. */
const mostCombinations = 1600;

/** Histories, each lengthened by others as long as that makes something else true. */
export function historyChoice(leaves: readonly Held[], { make, chosen }: Place, sign: Sign): Choice {
  const found = new Map<string, Option>();
  const keep = (history: History): boolean => {
    const option = historyOption(history);
    const { rest, patterns } = sign(make([...chosen.values(), option]));
    const key = `${rest} ${patterns}`;
    if (found.has(key)) return false;
    found.set(key, option);
    return true;
  };
  keep(noHistory);
  const { base, next } = make([]);
  const catalogue = (next ?? base)?.policy.catalogue;
  const single = catalogue ? histories(historyAsked(leaves), catalogue) : [];
  let grown = single.filter(keep);
  let left = mostCombinations;
  while (grown.length > 0) {
    const longer: History[] = [];
    for (const one of grown) {
      for (const more of single) {
        if (left-- <= 0) return { options: [...found.values()], doubts: ['Not every combination of what may have happened before was tried.'] };
        const joined = joinHistories(one, more);
        if (keep(joined)) longer.push(joined);
      }
    }
    grown = longer;
  }
  return { options: [...found.values()], doubts: [] };
}

function historyAsked(leaves: readonly Held[]): HistoryAsked {
  const counts = new Map<string, { readonly field: Extract<Field, { of: 'count' }>; readonly limits: number[] }>();
  for (const { leaf } of leaves) {
    if (leaf.is !== 'test' || leaf.field.of !== 'count') continue;
    const key = fieldText(leaf.field);
    const known = counts.get(key) ?? { field: leaf.field, limits: [] };
    const { test } = leaf;
    if ('value' in test && typeof test.value === 'number') known.limits.push(test.value);
    counts.set(key, known);
  }
  return {
    counts: [...counts.values()],
    sequences: leaves.flatMap(({ leaf }) => (leaf.is === 'sequence' ? [leaf] : [])),
    keys: [...new Set(leaves.flatMap(({ leaf }) => (leaf.is === 'test' && leaf.field.of === 'prior' ? wordsOf(leaf.test) : [])))],
  };
}
