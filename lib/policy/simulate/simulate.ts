import { ok, type Result } from '@/lib/shared/result';

import { compilePolicy } from '../compile-policy';
import type { ParsedPolicy } from '../parse-policy';
import { decideAsked, type Decided } from './decide-asked';
import { explainRule, type ExplainedRule } from './explain-rule';
import type { Asked } from './read-asked';
import { whatWouldChange, type Counterfactual } from './what-would-change';

/** A decision with everything that led to it. */
export type Simulated = Decided & {
  /** Every rule for this tool and operation, by priority. */
  readonly rules: readonly ExplainedRule[];
  readonly changes: readonly Counterfactual[];
};

/** What a policy decides about an action and why; nothing is recorded, nothing runs. `unknown_tool`, `invalid_parameters`: it is no action of its catalogue. */
export function simulate(asked: Asked, parsed: ParsedPolicy): Result<Simulated> {
  const policy = compilePolicy(parsed);
  const decided = decideAsked(asked, policy);
  if (!decided.ok) return decided;
  const { decision, situation } = decided.value;
  const key = `${situation.action.tool}.${situation.action.operation}`;
  const rules = policy.rules.filter(({ keys }) => keys.has(key)).map((rule) => explainRule(rule, situation));
  return ok({ ...decided.value, rules, changes: whatWouldChange(situation, parsed, decision) });
}
