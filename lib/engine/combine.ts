import type { DecisionKind } from '@/lib/mediate/catalogue';
import { assertNever } from '@/lib/shared/assert-never';
import type { ErrorCode } from '@/lib/shared/error-codes';

import { chooseBaseline, type BaselineChoice } from './choose-baseline';
import { contextAllow, reasonOf } from './context-allow';
import { demandOf, joinDemands } from './demand';
import { joinChanges, stepsOf } from './join-changes';
import { guardOutcome, pointOutcome } from './join-evidence';
import type { Measure } from './measure-alignment';
import { outcome, strictness, type Outcome } from './outcome';
import { sameOutcome } from './same-outcome';
import type { Rule } from './rule';
import type { Situation } from './situation';

/** The rules that hold, each list by priority, then id. */
export type Standing = {
  readonly statics: readonly Rule[];
  readonly denies: readonly Rule[];
  readonly allows: readonly Rule[];
  readonly joins: readonly Rule[];
  /** Forbidden rules that an opaque argument keeps from being known, and that ask for people instead of a denial. */
  readonly opaque: readonly Rule[];
};

/** Steps 3 to 6, for rules whose truth is settled. */
export function combine(standing: Standing, situation: Situation, measure: Measure): Outcome {
  const choices = chooseBaseline(standing.statics, situation.action.entry, situation.policy);
  const outcomes = choices.map((choice) => afterBaseline(choice, standing, situation, measure));
  const [first, ...rest] = outcomes;
  const [strictest] = choices;
  if (!first || !strictest) throw new Error('A baseline has at least one reading.');
  if (rest.every((other) => sameOutcome(first, other))) return first;
  return conflictOf(choices, strictest, situation);
}

/** Rules of one priority disagree, and it matters: the approvers of the stricter decide, or nobody could. */
function conflictOf(choices: readonly BaselineChoice[], strictest: BaselineChoice, { policy, action }: Situation): Outcome {
  const rules = choices.flatMap((choice) => choice.rules);
  const reason = `Rules of the same priority disagree: ${rules.map((rule) => rule.id).sort().join(', ')}.`;
  if (strictest.decision !== 'STEP_UP') return outcome('DENY', 'rule_conflict', reason, rules);
  const demand = joinDemands(strictest.rules.map((rule) => demandOf(rule.approval, policy, action.entry.impact)));
  return outcome('DEFER', 'rule_conflict', reason, rules, { conflict: rules, demand });
}

function afterBaseline(choice: BaselineChoice, standing: Standing, situation: Situation, measure: Measure): Outcome {
  // 4. Context-dependent deny, whatever the baseline.
  if (standing.denies.length > 0) return outcome('DENY', 'denied_by_context', reasonOf(standing.denies.slice(0, 1)), standing.denies);
  // 5. Context-dependent allow, of a baseline that denies.
  const base =
    (choice.decision === 'DENY' ? contextAllow(choice, standing.allows, standing.statics, situation, measure) : null) ??
    baselineOutcome(choice, situation);
  // 6. Join with everything that only tightens.
  if (standing.joins.length + standing.opaque.length + situation.snapshot.guards.length + situation.snapshot.points.length === 0) {
    return withJoinedChanges(base);
  }
  return join([
    base,
    ...situation.snapshot.guards.map((finding) => guardOutcome(finding, situation)),
    ...situation.snapshot.points.map(pointOutcome).filter((found) => found !== null),
    ...standing.opaque.map((rule) => ruleOutcome('STEP_UP', [rule], situation, true)),
    ...standing.joins.map((rule) => ruleOutcome(rule.action, [rule], situation, true)),
  ]);
}

function baselineOutcome(choice: BaselineChoice, situation: Situation): Outcome {
  if (choice.rules.length > 0) {
    const base = ruleOutcome(choice.decision, choice.rules, situation, false);
    return choice.beneath.length > 0 ? { ...base, rules: [...base.rules, ...choice.beneath], modify: stepsOf(choice.beneath) } : base;
  }
  const { action, policy } = situation;
  const named = `${action.tool}.${action.operation}`;
  const from = choice.from === 'catalogue' ? 'the catalogue' : 'the policy’s defaults';
  const code = choice.decision === 'DENY' ? 'denied_by_default' : codeOf(choice.decision, false);
  const reason = choice.decision === 'DENY' ? `Nothing allows ${named}.` : `${named} is ${choice.decision} by ${from}.`;
  return outcome(choice.decision, code, reason, [], { demand: choice.decision === 'STEP_UP' ? demandOf(null, policy, action.entry.impact) : null });
}

function ruleOutcome(kind: DecisionKind, rules: readonly Rule[], { policy, action }: Situation, contextual: boolean): Outcome {
  return outcome(kind, codeOf(kind, contextual), reasonOf(rules), rules, {
    demand: kind === 'STEP_UP' ? joinDemands(rules.map((rule) => demandOf(rule.approval, policy, action.entry.impact))) : null,
    modify: kind === 'MODIFY' ? stepsOf(rules) : [],
    contextual: contextual && kind === 'MODIFY',
  });
}

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

/** The strictest wins; what is equally strict joins. */
function join(parts: readonly Outcome[]): Outcome {
  const kind = parts.reduce<DecisionKind>((most, part) => (strictness(part.kind) > strictness(most) ? part.kind : most), 'ALLOW');
  const winning = parts.filter((part) => part.kind === kind);
  // A denial that stands without the alignment is the one to name.
  const first = winning.find((part) => !part.restsOnAlignment) ?? winning[0];
  if (!first) throw new Error('A join has at least one part.');
  if (kind === 'DENY' || kind === 'ALLOW') return first;
  const changing = parts.filter((part) => part.modify.length > 0 && kind !== 'DEFER');
  const together = [...winning, ...changing.filter((part) => !winning.includes(part))];
  return withJoinedChanges({
    ...first,
    reason: [...new Set(winning.map((part) => part.reason))].join(' '),
    rules: [...new Set(together.flatMap((part) => part.rules))],
    demand: joinDemands(winning.map((part) => part.demand).filter((demand) => demand !== null)),
    modify: changing.flatMap((part) => part.modify),
    contextual: changing.some((part) => part.contextual),
    conflict: winning.flatMap((part) => part.conflict),
    undecided: winning.flatMap((part) => part.undecided),
  });
}

function withJoinedChanges(whole: Outcome): Outcome {
  if (whole.modify.length === 0) return whole;
  const modify = joinChanges(whole.modify);
  if (modify) return { ...whole, modify };
  return outcome('DENY', 'rule_conflict', `Changes to the same parameter disagree: ${[...new Set(whole.modify.map((step) => step.by))].sort().join(', ')}.`, whole.rules);
}
