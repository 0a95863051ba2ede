import { joinChanges } from './join-changes';
import { outcome, type Outcome } from './outcome';
import type { Situation } from './situation';
import { effectiveSteps } from './transform-action';

/**
 * The outcome with its changes made one list of those that change something. A MODIFY of which nothing is left counts as ALLOW;
 * changes that disagree are a conflict that nobody is asked about.
 */
export function settleChanges(whole: Outcome, situation: Situation): Outcome {
  if (whole.modify.length === 0) return whole;
  const joined = joinChanges(whole.modify);
  if (!joined) {
    const names = [...new Set(whole.modify.map((step) => step.by))].sort().join(', ');
    return outcome('DENY', 'rule_conflict', `Changes to the same parameter disagree: ${names}.`, whole.rules);
  }
  const modify = effectiveSteps(joined, situation);
  if (modify.length > 0) return { ...whole, modify };
  return { ...whole, modify, contextual: false, ...(whole.kind === 'MODIFY' ? { kind: 'ALLOW', code: 'allowed' } : {}) };
}
