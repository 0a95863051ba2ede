import type { PriorAction } from '@/lib/context/snapshot';

import { carriesLabel } from './label-levels';
import type { Field, Step } from './predicate';
import { one, type Reading } from './reading';
import type { Situation } from './situation';

/**
 * How many prior actions of a kind there were, exactly: from the totals when there is no window and no label, else from the
 * latest actions. When the window reaches back beyond those, the number is known only to be at least what was seen.
 */
export function countActions(situation: Situation, field: Extract<Field, { of: 'count' }>): Reading {
  const { prior } = situation.snapshot;
  const { which, within_s } = field;
  if (within_s === null && which.label === null) return one(totalOf(situation, which));
  const seen = prior.recent.filter((action) => isStep(which, action) && isWithin(situation, action, within_s));
  if (reachesEverything(situation, within_s) || totalOf(situation, which) === seen.length) return one(seen.length);
  return { state: 'at_least', value: seen.length };
}

/** All prior actions that the step's tool, operation and effect allow; its label is not looked at. */
export function totalOf({ snapshot, policy }: Situation, step: Step): number {
  let total = 0;
  for (const [key, count] of Object.entries(snapshot.prior.counts)) {
    const effect = policy.catalogue.entries.get(key)?.effect;
    // An operation that the catalogue has lost meanwhile may have had any effect.
    const fits = step.effects === null || effect === undefined || step.effects.includes(effect);
    if (fits && (step.keys === null || step.keys.has(key))) total += count;
  }
  return total;
}

export function isStep(step: Step, action: Omit<PriorAction, 'action' | 'at'>): boolean {
  if (step.keys !== null && !step.keys.has(`${action.tool}.${action.operation}`)) return false;
  if (step.effects !== null && !step.effects.includes(action.effect)) return false;
  return step.label === null || carriesLabel(action.labels, step.label);
}

export const isWithin = ({ nowMs }: Situation, action: PriorAction, within_s: number | null): boolean =>
  within_s === null || nowMs - Date.parse(action.at) <= within_s * 1000;

/** True when the latest actions hold everything that a window can mean. */
export function reachesEverything(situation: Situation, within_s: number | null): boolean {
  const { recent, total } = situation.snapshot.prior;
  const [oldest] = recent;
  return total <= recent.length || (oldest !== undefined && within_s !== null && !isWithin(situation, oldest, within_s));
}
