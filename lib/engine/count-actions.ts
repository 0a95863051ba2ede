import type { PriorAction } from '@/lib/context/snapshot';
import { showsEffects } from '@/lib/mediate/effect-of';
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
 * latest actions. When the window reaches back beyond those, or the totals do not tell what their actions did, the number is known
 * only to be at least what was seen.
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
  const totals = totalsOf(situation, which);
  const isWhole = within_s === null && which.label === null;
  if (isWhole && totals.perhaps === 0) return one(totals.surely);
  const isRecent = withinOf(situation, within_s);
  // What the totals settle is not counted a second time.
  let seen = isWhole ? totals.surely : 0;
  let fit: Fit = 'none';
  let last: PriorAction | null = null;
  for (const action of prior.recent) {
    // Sessions repeat themselves: what tool and operation say is said of the next one too.
    if (last?.tool !== action.tool || last.operation !== action.operation) fit = isWhole ? fitOf(situation, which, keyOf(action)) : isKey(which, action) ? 'some' : 'none';
    last = action;
    if (fit === 'some' && isRecent(action) && isKind(which, action)) seen += 1;
  }
  if (reachesEverything(situation, within_s) || areAtHand(situation, which, isWhole ? ['some'] : ['all', 'some'])) return one(seen);
  return { state: 'at_least', value: seen };
}

/** Whether all actions of an operation are of the step's kind, by what the catalogue says they do; its label is not looked at. */
type Fit = 'all' | 'some' | 'none';

function fitOf({ policy }: Situation, { keys, effects }: Step, key: string): Fit {
  if (keys !== null && !keys.has(key)) return 'none';
  const entry = policy.catalogue.entries.get(key);
  // An operation that the catalogue has lost meanwhile may have had any effect.
  if (effects === null || entry === undefined || effects.includes(entry.effect)) return 'all';
  // What a command or a query did is known of each by itself, and the totals have forgotten which they were.
  return showsEffects(entry) ? 'some' : 'none';
}

function totalsOf(situation: Situation, step: Step): { readonly surely: number; readonly perhaps: number } {
  let [surely, perhaps] = [0, 0];
  for (const [key, count] of Object.entries(situation.snapshot.prior.counts)) {
    const fit = fitOf(situation, step, key);
    if (fit === 'all') surely += count;
    else if (fit === 'some') perhaps += count;
  }
  return { surely, perhaps };
}

/** How many prior actions at most the step's tool, operation and effect allow; its label is not looked at. */
export function mostOf(situation: Situation, step: Step): number {
  const { surely, perhaps } = totalsOf(situation, step);
  return surely + perhaps;
}

/** True when every prior action that the step can mean, of operations that fit it so, is among the latest: what they say is all there is to say. */
export function areAtHand(situation: Situation, step: Step, fits: readonly Fit[] = ['all', 'some']): boolean {
  const { counts, recent } = situation.snapshot.prior;
  let missing = 0;
  for (const [key, count] of Object.entries(counts)) if (fits.includes(fitOf(situation, step, key))) missing += count;
  for (const action of recent) if (missing > 0 && fits.includes(fitOf(situation, step, keyOf(action)))) missing -= 1;
  return missing === 0;
}

type Taken = Omit<PriorAction, 'action' | 'at'>;

export const isStep = (step: Step, action: Taken): boolean => isKey(step, action) && isKind(step, action);

const keyOf = ({ tool, operation }: Taken): string => `${tool}.${operation}`;

const isKey = ({ keys }: Step, action: Taken): boolean => keys === null || keys.has(keyOf(action));

/** What the arguments showed counts beside what the catalogue says: a command that sent is one that communicated. */
const isKind = ({ effects, label }: Step, action: Taken): boolean =>
  (effects === null || (action.effects?.some((effect) => effects.includes(effect)) ?? effects.includes(action.effect))) && (label === null || carriesLabel(action.labels, label));

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
