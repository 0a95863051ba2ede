import type { DecisionKind } from '@/lib/mediate/catalogue';

import { baselineOutcome, reasonOf, ruleOutcome } from './baseline-outcome';
import { chooseBaseline, type BaselineChoice } from './choose-baseline';
import { settleConflict } from './conflict';
import { contextAllow } from './context-allow';
import { joinDemands } from './demand';
import { guardOutcome, pointOutcome } from './join-evidence';
import type { Measure } from './measure-alignment';
import { outcome, strictness, type Outcome } from './outcome';
import type { Rule } from './rule';
import { settleChanges } from './settle-changes';
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
  const bases = choices.map((choice) => settleChanges(baseOf(choice, standing, situation, measure), situation));
  const joined = settleConflict(choices, bases.map((base) => withEvidence(base, standing, situation)));
  if (choices.length < 2 || strictness(joined.kind) >= strictness('DEFER')) return joined;
  // What only tightens must not be what makes rules agree that nobody was asked about.
  const alone = settleConflict(choices, bases);
  return alone.kind === 'DENY' && alone.code === 'rule_conflict' ? alone : joined;
}

function baseOf(choice: BaselineChoice, standing: Standing, situation: Situation, measure: Measure): Outcome {
  // 4. Context-dependent deny, whatever the baseline.
  if (standing.denies.length > 0) return outcome('DENY', 'denied_by_context', reasonOf(standing.denies.slice(0, 1)), standing.denies);
  // 5. Context-dependent allow, of a baseline that denies.
  return (choice.decision === 'DENY' ? contextAllow(choice, standing.allows, standing.statics, situation, measure) : null) ?? baselineOutcome(choice, situation);
}

/** 6. Join with everything that only tightens. */
function withEvidence(base: Outcome, { denies, joins, opaque }: Standing, situation: Situation): Outcome {
  const { guards, points } = situation.snapshot;
  if (denies.length > 0 || joins.length + opaque.length + guards.length + points.length === 0) return base;
  return join(situation, [
    base,
    ...guards.map((finding) => guardOutcome(finding, situation)),
    ...points.map(pointOutcome).filter((found) => found !== null),
    ...opaque.map((rule) => ruleOutcome('STEP_UP', [rule], situation, true)),
    ...joins.map((rule) => ruleOutcome(rule.action, [rule], situation, true)),
  ]);
}

/** The strictest wins; what is equally strict joins. */
function join(situation: Situation, parts: readonly Outcome[]): Outcome {
  const kind = parts.reduce<DecisionKind>((most, part) => (strictness(part.kind) > strictness(most) ? part.kind : most), 'ALLOW');
  const alike = parts.filter((part) => part.kind === kind);
  // What waits for facts waits first; people settle a conflict when nothing else is open.
  const waiting = alike.filter((part) => part.conflict.length === 0);
  const winning = waiting.length > 0 ? waiting : alike;
  // Where the evidence itself is missing, nothing else that denies says much; else a denial that stands without the alignment is the one to name.
  const first = winning.find((part) => part.code === 'internal') ?? winning.find((part) => !part.restsOnAlignment) ?? winning[0];
  if (!first) throw new Error('A join has at least one part.');
  if (kind === 'DENY' || kind === 'ALLOW') return first;
  const changing = parts.filter((part) => part.modify.length > 0 && (kind !== 'DEFER' || first.conflict.length > 0));
  const together = [...winning, ...changing.filter((part) => !winning.includes(part))];
  return settleChanges({
    ...first,
    reason: [...new Set(winning.map((part) => part.reason))].join(' '),
    rules: [...new Set(together.flatMap((part) => part.rules))],
    obliging: [...new Set(parts.flatMap((part) => part.obliging))],
    demand: joinDemands(winning.map((part) => part.demand).filter((demand) => demand !== null)),
    modify: changing.flatMap((part) => part.modify),
    contextual: changing.some((part) => part.contextual),
    conflict: winning.flatMap((part) => part.conflict),
    undecided: winning.flatMap((part) => part.undecided),
  }, situation);
}
