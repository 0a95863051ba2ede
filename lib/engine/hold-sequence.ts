import { isStep, isWithin, mostOf, reachesEverything } from './count-actions';
import { carriesLabel } from './label-levels';
import type { Predicate } from './predicate';
import type { Situation } from './situation';
import { truthOf, type Truth } from './truth';

/**
 * True when earlier actions took the steps in that order and this action is the last one. Where only the latest actions are
 * at hand and the steps may have been taken before them, the answer is unknown unless the totals rule a step out.
 */
export function holdSequence(sequence: Extract<Predicate, { is: 'sequence' }>, situation: Situation): Truth {
  const { action, snapshot } = situation;
  // What the arguments show counts beside what the catalogue says: a command that sends is a step that communicates.
  const { tool, operation, entry, facts } = action;
  const isLast = isStep(sequence.last, { tool, operation, effect: entry.effect, effects: facts.effects, labels: snapshot.labels });
  if (!isLast) return 'false';
  let next = 0;
  for (const prior of snapshot.prior.recent) {
    const step = sequence.before[next];
    if (!step) break;
    if (isWithin(situation, prior, sequence.within_s) && isStep(step, prior)) next += 1;
  }
  if (next === sequence.before.length) return 'true';
  if (reachesEverything(situation, sequence.within_s)) return 'false';
  const possible = sequence.before.every(
    (step) => mostOf(situation, step) > 0 && (step.label === null || carriesLabel(snapshot.labels, step.label)),
  );
  return possible ? 'unknown' : truthOf(false);
}
