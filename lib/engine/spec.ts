import type { DecisionKind } from '@/lib/mediate/catalogue';

import { demandOf, joinDemands } from './demand';
import { deferForEvidence } from './defer-for-evidence';
import { forbiddenOutcome } from './evaluate';
import { joinChanges, stepsOf } from './join-changes';
import { guardOutcome, pointOutcome } from './join-evidence';
import { judgeRule, missingOf, type Judged } from './judge-rule';
import { measureAlignment } from './measure-alignment';
import { outcome, strictness, type Outcome } from './outcome';
import { isLoosening, type Rule } from './rule';
import { sameOutcome } from './same-outcome';
import type { Settled } from './settled';
import type { Situation } from './situation';

/**
 * Steps 1 to 7 said as plainly as they can be, over all rules of the policy and every way that unknown ones may turn out, with
 * no index and no shortcut. `evaluate` is held equal to it. (Up to eight unknown rules; beyond, the serving engine looks at
 * extremes only.)
 */
export function specify(situation: Situation): Settled {
  const { action, policy, snapshot } = situation;
  const judged = policy.rules
    .filter((rule) => rule.keys.has(`${action.tool}.${action.operation}`))
    .map((rule) => judgeRule(rule, situation))
    .filter((found) => found !== null);
  const settled = (found: Outcome, missing: Settled['missing'] = []): Settled => ({
    outcome: found, missing, judged, measure: measureAlignment(snapshot.signals), baseline: { decision: found.kind, from: '' },
  });

  // 1. Forbidden.
  const forbidden = judged.filter(({ rule }) => rule.classification === 'forbidden');
  const stop = forbiddenOutcome(forbidden, situation);
  if (stop) return settled(stop);
  // 2. Grant.
  if (action.entry.grant && snapshot.grants.length === 0) return settled(outcome('DENY', 'grant_needed', ''));

  const held = forbidden.filter(({ truth }) => truth === 'unknown').map(({ rule }) => rule);
  const open = judged.filter(({ rule }) => rule.classification !== 'forbidden');
  const unknown = open.filter(({ truth }) => truth === 'unknown').map(({ rule }) => rule);
  const outcomeIn = (world: readonly Rule[]): Outcome => inWorld(open.filter(({ rule, truth }) => truth === 'true' || world.includes(rule)).map(ruleOf), held, situation);

  // 7a. What only an opaque argument hides turns out the strictest way. Of the rest: one common outcome, or a DEFER for what mattered.
  const hidden = unknown.filter((rule) => missingOf(rule, situation).every((field) => field.opaque));
  const asking = unknown.filter((rule) => !hidden.includes(rule));
  const worstIn = (world: readonly Rule[]): Outcome => worst(subsets(hidden).map((more) => outcomeIn([...world, ...more])));
  const worlds = subsets(asking);
  const outcomes = worlds.map(worstIn);
  const strict = worstIn(asking.filter((rule) => !isLoosening(rule)));
  const mattered = asking.filter((rule) => worlds.some((world) => !world.includes(rule) && !sameOutcome(worstIn(world), worstIn([...world, rule]))));
  const tried = outcomes.every((other) => sameOutcome(strict, other))
    ? { outcome: together(strict, outcomes), missing: [] }
    : { outcome: outcome('DEFER', 'needs_context', '', mattered), missing: mattered.flatMap((rule) => missingOf(rule, situation)).filter((field) => !field.opaque) };

  // 7b to 7d.
  const evidence = deferForEvidence(tried, situation, measureAlignment(snapshot.signals));
  return settled(evidence.outcome, evidence.missing);
}

/** The strictest of several ways; equally strict ones ask everybody and make every change. */
function worst(ways: readonly Outcome[]): Outcome {
  const kind = ways.map((way) => way.kind).sort((a, b) => strictness(b) - strictness(a))[0];
  const [first, ...rest] = ways.filter((way) => way.kind === kind);
  if (!first) throw new Error('There is always a way.');
  if (ways.every((way) => sameOutcome(first, way))) return together(first, ways);
  const modify = joinChanges([first, ...rest].flatMap((way) => way.modify));
  return modify ? { ...together(first, [first, ...rest]), modify, rules: [first, ...rest].flatMap((way) => way.rules) } : outcome('DENY', 'opaque_argument', '');
}

const together = (one: Outcome, all: readonly Outcome[]): Outcome => ({
  ...one,
  demand: joinDemands(all.map((each) => each.demand).filter((each) => each !== null)),
  restsOnAlignment: all.some((each) => each.restsOnAlignment),
  contextual: all.some((each) => each.contextual),
});

/** Steps 3 to 6 when exactly these rules hold. */
function inWorld(rules: readonly Rule[], held: readonly Rule[], situation: Situation): Outcome {
  const { action, policy, snapshot } = situation;
  const statics = rules.filter((rule) => rule.classification === 'static');
  const result = baseline(statics, situation).map(([base, priority]) => {
    // 4.
    if (rules.some((rule) => rule.classification === 'context_dependent_deny')) return outcome('DENY', 'denied_by_context', '');
    // 5.
    const allows = rules.filter((rule) => rule.classification === 'context_dependent_allow' && rule.priority >= priority);
    const start = base.kind === 'DENY' && allows.length > 0 ? allowed(allows, statics, situation) : base;
    // 6.
    const tightening = rules.filter((rule) => rule.classification === 'context_dependent_decision' || rule.classification === 'context_dependent_defer');
    const parts = [
      start,
      ...snapshot.guards.map((finding) => guardOutcome(finding, situation)),
      ...snapshot.points.flatMap((answer) => pointOutcome(answer) ?? []),
      ...held.map((rule) => outcome('STEP_UP', 'needs_approval', '', [rule], { demand: demandOf(rule.approval, policy, action.facts.impact) })),
      ...tightening.map((rule) => said(rule.action, [rule], situation, rule.action === 'MODIFY')),
    ];
    return strictestOf(parts);
  });
  const [strictest] = result;
  if (strictest && result.every((other) => sameOutcome(strictest, other))) return strictest;
  const [choice] = baseline(statics, situation);
  return choice?.[0].kind === 'STEP_UP'
    ? outcome('DEFER', 'rule_conflict', '', [], { conflict: topGroup(statics), demand: choice[0].demand })
    : outcome('DENY', 'rule_conflict', '');
}

/** Step 3: each reading of the baseline with its priority, strictest first. */
function baseline(statics: readonly Rule[], situation: Situation): readonly (readonly [Outcome, number])[] {
  const { action, policy } = situation;
  if (statics.length === 0) {
    const kind = action.entry.decision ?? policy.defaults.decision;
    return [[{ ...said(kind, [], situation, false), demand: kind === 'STEP_UP' ? demandOf(null, policy, action.facts.impact) : null }, -1]];
  }
  const group = topGroup(statics);
  return kinds(group).map((kind) => {
    const found = said(kind, group.filter((rule) => rule.action === kind), situation, false);
    const below = statics.filter((rule) => rule.action === 'MODIFY' && rule.priority < (group[0]?.priority ?? 0));
    const kept = below.filter((rule) => rule.priority === Math.max(...below.map((other) => other.priority)));
    return [kind === 'STEP_UP' ? { ...found, modify: stepsOf(kept) } : found, group[0]?.priority ?? 0];
  });
}

/** Step 5: the most permissive action of the rules, lowered by alignment and impact, not under what stands without DENYs. */
function allowed(allows: readonly Rule[], statics: readonly Rule[], situation: Situation): Outcome {
  const { action, policy, snapshot } = situation;
  const { alignment } = measureAlignment(snapshot.signals);
  if (alignment === null || alignment < policy.confidence.low) return outcome('DENY', 'low_confidence', '', [], { restsOnAlignment: true });
  const sure = alignment >= policy.confidence.high && action.facts.impact === 'low' && (snapshot.session.assurance ?? 'same_host') !== 'same_host';
  const ceiling = allows.map((rule) => rule.action).sort((a, b) => strictness(a) - strictness(b))[0] ?? 'STEP_UP';
  const floors = baseline(statics.filter((rule) => rule.action !== 'DENY'), situation).map(([found]) => found);
  const [floor] = floors.some((found) => found.kind === 'DENY') ? [] : floors;
  if (floor?.kind === 'DEFER' || (floor && floors.length > 1)) {
    return outcome('DEFER', 'needs_context', '', [], { conflict: floors.length > 1 ? topGroup(statics.filter((rule) => rule.action !== 'DENY')) : [] });
  }
  const limits: readonly DecisionKind[] = [ceiling, sure ? 'ALLOW' : 'STEP_UP', floor?.kind ?? 'ALLOW'];
  const kind = limits.reduce((most, each) => (strictness(each) > strictness(most) ? each : most));
  const askers = [...allows, ...topGroup(statics.filter((rule) => rule.action !== 'DENY'))].filter((rule) => rule.action === 'STEP_UP');
  const demands = askers.map((rule) => demandOf(rule.approval, policy, action.facts.impact));
  return outcome(kind, 'allowed', '', [], {
    demand: kind === 'STEP_UP' ? (joinDemands(demands) ?? demandOf(null, policy, action.facts.impact)) : null,
    modify: [...(ceiling === 'MODIFY' ? stepsOf(allows.filter((rule) => rule.action === 'MODIFY')) : []), ...(floor?.modify ?? [])],
  });
}

/** Step 6: the strictest kind; demands of that kind join, and so do changes unless it is a DENY or DEFER. */
function strictestOf(parts: readonly Outcome[]): Outcome {
  const kind = parts.map((part) => part.kind).sort((a, b) => strictness(b) - strictness(a))[0] ?? 'DENY';
  const winning = parts.filter((part) => part.kind === kind);
  const changes = kind === 'DENY' || kind === 'DEFER' ? [] : parts.flatMap((part) => part.modify);
  const modify = joinChanges(changes);
  if (!modify) return outcome('DENY', 'rule_conflict', '');
  return outcome(kind, winning.find((part) => !part.restsOnAlignment)?.code ?? winning[0]?.code ?? 'allowed', '', winning.flatMap((part) => part.rules), {
    demand: joinDemands(winning.map((part) => part.demand).filter((each) => each !== null)),
    modify,
    contextual: parts.some((part) => part.contextual),
    restsOnAlignment: kind === 'DENY' && winning.every((part) => part.restsOnAlignment),
    conflict: winning.flatMap((part) => part.conflict),
    undecided: winning.flatMap((part) => part.undecided),
  });
}

function said(kind: DecisionKind, rules: readonly Rule[], { policy, action }: Situation, contextual: boolean): Outcome {
  return outcome(kind, 'allowed', '', rules, {
    demand: kind === 'STEP_UP' ? joinDemands(rules.map((rule) => demandOf(rule.approval, policy, action.facts.impact))) : null,
    modify: kind === 'MODIFY' ? stepsOf(rules) : [],
    contextual,
  });
}

const ruleOf = ({ rule }: Judged): Rule => rule;

const topGroup = (statics: readonly Rule[]): readonly Rule[] => {
  const top = Math.max(...statics.map((rule) => rule.priority));
  const group = statics.filter((rule) => rule.priority === top);
  return kinds(group).flatMap((kind) => group.filter((rule) => rule.action === kind));
};

const kinds = (rules: readonly Rule[]): readonly DecisionKind[] => [...new Set(rules.map((rule) => rule.action))].sort((a, b) => strictness(b) - strictness(a));

function subsets(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const [first, ...rest] = rules;
  if (!first) return [[]];
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]]);
}
