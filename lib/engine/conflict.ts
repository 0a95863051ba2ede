import type { BaselineChoice } from './choose-baseline';
import { outcome, type Outcome } from './outcome';
import { sameOutcome } from './same-outcome';

/**
 * Rules of one priority that disagree, each reading followed to its end. When all of them end alike the conflict does not matter;
 * else the approvers of the stricter decide about what the stricter would let through, and where the stricter asks nobody the
 * action is denied. `outcomes` belong to `choices`, strictest choice first.
 */
export function settleConflict(choices: readonly BaselineChoice[], outcomes: readonly Outcome[]): Outcome {
  const [first, ...rest] = outcomes;
  const [strictest] = choices;
  if (!first || !strictest) throw new Error('A baseline has at least one reading.');
  if (rest.length === 0) return first;
  if (rest.length === 0) return first;
  const obliging = [...new Set(outcomes.flatMap((each) => each.obliging))];
  if (rest.every((other) => sameOutcome(first, other))) return { ...first, obliging };
  const rules = choices.flatMap((choice) => choice.rules);
  const reason = `Rules of the same priority disagree: ${rules.map((rule) => rule.id).sort().join(', ')}.`;
  if (strictest.decision !== 'STEP_UP' || first.kind !== 'STEP_UP') return outcome('DENY', 'rule_conflict', reason, rules);
  return outcome('DEFER', 'rule_conflict', reason, rules, { obliging, conflict: rules, demand: first.demand, modify: first.modify, contextual: first.contextual });
}
