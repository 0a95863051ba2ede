import type { DecisionKind } from '@/lib/mediate/catalogue';
import { assertNever } from '@/lib/shared/assert-never';
import type { ErrorCode } from '@/lib/shared/error-codes';

import type { BaselineChoice } from './choose-baseline';
import { demandOf, joinDemands } from './demand';
import { stepsOf } from './join-changes';
import { outcome, type Outcome } from './outcome';
import type { Rule } from './rule';
import type { Situation } from './situation';

/** What one reading of the baseline comes to by itself. */
export function baselineOutcome(choice: BaselineChoice, situation: Situation): Outcome {
  if (choice.rules.length > 0) {
    const base = ruleOutcome(choice.decision, choice.rules, situation, false);
    const whole = [...base.rules, ...choice.beneath];
    return choice.beneath.length > 0 ? { ...base, rules: whole, obliging: whole, modify: stepsOf(choice.beneath) } : base;
  }
  const { action, policy } = situation;
  const named = `${action.tool}.${action.operation}`;
  const from = choice.from === 'catalogue' ? 'the catalogue' : 'the policy’s defaults';
  const code = choice.decision === 'DENY' ? 'denied_by_default' : codeOf(choice.decision, false);
  const reason = choice.decision === 'DENY' ? `Nothing allows ${named}.` : `${named} is ${choice.decision} by ${from}.`;
  return outcome(choice.decision, code, reason, [], { demand: choice.decision === 'STEP_UP' ? demandOf(null, policy, action.facts.impact) : null });
}

/** What rules of one action say together. */
export function ruleOutcome(kind: DecisionKind, rules: readonly Rule[], { policy, action }: Situation, contextual: boolean): Outcome {
  return outcome(kind, codeOf(kind, contextual), reasonOf(rules), rules, {
    demand: kind === 'STEP_UP' ? joinDemands(rules.map((rule) => demandOf(rule.approval, policy, action.facts.impact))) : null,
    modify: kind === 'MODIFY' ? stepsOf(rules) : [],
    contextual: contextual && kind === 'MODIFY',
  });
}

export const reasonOf = (rules: readonly Rule[]): string => rules.map((rule) => rule.reason).join(' ');

function codeOf(kind: DecisionKind, contextual: boolean): ErrorCode {
  switch (kind) {
    case 'ALLOW':
      return 'allowed';
    case 'MODIFY':
      return 'modified';
    case 'STEP_UP':
      return 'needs_approval';
    case 'DEFER':
      return 'needs_context';
    case 'DENY':
      return contextual ? 'denied_by_context' : 'denied_by_rule';
    default:
      return assertNever(kind);
  }
}
