import type { PriorAction } from '@/lib/context/snapshot';
import { parseTime } from '@/lib/shared/parse-time';

import { carriesLabel } from './label-levels';
import type { Field, Step } from './predicate';
import { one, type Reading } from './reading';
import type { Situation } from './situation';

type CountField = Extract<Field, { of: 'count' }>;

/** A rule that counts is judged, then explained: the second time needs no second look at two hundred actions. A situation never changes. */
const counted = new WeakMap<Situation, Map<CountField, Reading>>();

/**
 * How many prior actions of a kind there were, exactly: from the totals when there is no window and no label, else from the
 * latest actions. When the window reaches back beyond those, the number is known only to be at least what was seen.
 */
export function countActions(situation: Situation, field: CountField): Reading {
  const known = counted.get(situation) ?? new Map<CountField, Reading>();
  const reading = known.get(field) ?? count(situation, field);
  counted.set(situation, known.set(field, reading));
  return reading;
}

function count(situation: Situation, field: CountField): Reading {
  const { prior } = situation.snapshot;
  const { which, within_s } = field;
  if (within_s === null && which.label === null) return one(totalOf(situation, which));
  const isRecent = withinOf(situation, within_s);
  let seen = 0;
  let key = false;
  let last: PriorAction | null = null;
  for (const action of prior.recent) {
    // Sessions repeat themselves: what tool and operation say is said of the next one too.
    if (last?.tool !== action.tool || last.operation !== action.operation) key = isKey(which, action);
    last = action;
    if (key && isRecent(action) && isKind(which, action)) seen += 1;
  }
  if (reachesEverything(situation, within_s) || totalOf(situation, which) === seen) return one(seen);
  return { state: 'at_least', value: seen };
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

type Taken = Omit<PriorAction, 'action' | 'at'>;

export const isStep = (step: Step, action: Taken): boolean => isKey(step, action) && isKind(step, action);

const isKey = ({ keys }: Step, { tool, operation }: Taken): boolean => keys === null || keys.has(`${tool}.${operation}`);

const isKind = ({ effects, label }: Step, action: Taken): boolean =>
  (effects === null || effects.includes(action.effect)) && (label === null || carriesLabel(action.labels, label));

export const isWithin = ({ nowMs }: Situation, action: PriorAction, within_s: number | null): boolean =>
  within_s === null || nowMs - parseTime(action.at) <= within_s * 1000;

/** The same for many actions: times of the one spelling that this product writes compare as texts. */
function withinOf(situation: Situation, within_s: number | null): (action: PriorAction) => boolean {
  if (within_s === null) return () => true;
  const sinceMs = situation.nowMs - within_s * 1000;
  const since = sinceMs >= 0 && sinceMs <= lastFourDigitYear ? new Date(sinceMs).toISOString() : null;
  return (action) => (since !== null && action.at.length === since.length && action.at.endsWith('Z') ? action.at >= since : isWithin(situation, action, within_s));
}

const lastFourDigitYear = Date.UTC(9999, 11, 31);

/** True when the latest actions hold everything that a window can mean. */
export function reachesEverything(situation: Situation, within_s: number | null): boolean {
  const { recent, total } = situation.snapshot.prior;
  const [oldest] = recent;
  return total <= recent.length || (oldest !== undefined && within_s !== null && !isWithin(situation, oldest, within_s));
}
