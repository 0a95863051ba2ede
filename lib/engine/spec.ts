import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { ErrorCode } from '@/lib/shared/error-codes';

import { byPriority } from './by-priority';
import { demandOf, joinDemands } from './demand';
import { deferForEvidence } from './defer-for-evidence';
import { forbiddenOutcome } from './evaluate';
import { joinChanges, stepsOf } from './join-changes';
import { guardOutcome, pointOutcome } from './join-evidence';
import { judgeRule, missingOf } from './judge-rule';
import { measureAlignment } from './measure-alignment';
import { outcome, strictness, type Outcome } from './outcome';
import { isLoosening, type Rule } from './rule';
import { sameOutcome } from './same-outcome';
import type { Settled } from './settled';
import type { Situation } from './situation';
import { effectiveSteps } from './transform-action';

/**
 * Steps 1 to 7 said as plainly as they can be, over all rules of the policy and every way that unknown ones may turn out, with
 * no index and no shortcut. `evaluate` is held equal to it.
 */
export function specify(situation: Situation): Settled {
  const { action, policy, snapshot } = situation;
  const measure = measureAlignment(snapshot.signals);
  const judged = policy.rules
    .filter((rule) => rule.keys.has(`${action.tool}.${action.operation}`))
    .map((rule) => judgeRule(rule, situation))
    .filter((found) => found !== null);
  const settled = (found: Outcome, missing: Settled['missing'], of: Settled['judged']): Settled => ({ outcome: found, missing, judged: of, measure, baseline: { decision: found.kind, from: '' } });

  // 1. Forbidden.
  const forbidden = judged.filter(({ rule }) => rule.classification === 'forbidden');
  const stop = forbiddenOutcome(forbidden, situation);
  if (stop) return settled(stop, [], forbidden);
  // 2. Grant.
  if (action.entry.grant && snapshot.grants.length === 0) return settled(outcome('DENY', 'grant_needed', ''), [], forbidden);

  const held = forbidden.filter(({ truth }) => truth === 'unknown').map(({ rule }) => rule);
  const open = judged.filter(({ rule }) => rule.classification !== 'forbidden');
  const unknown = open.filter(({ truth }) => truth === 'unknown').map(({ rule }) => rule);
  const outcomeIn = (world: readonly Rule[]): Outcome => inWorld(open.filter(({ rule, truth }) => truth === 'true' || world.includes(rule)).map(({ rule }) => rule), held, situation);

  // 7a. What only an opaque argument hides turns out the strictest way. Of the rest: one common outcome, or a DEFER for what mattered.
  const ways = (rules: readonly Rule[]): readonly (readonly Rule[])[] => (unknown.length > 8 ? extremes(rules) : subsets(rules));
  const hidden = unknown.filter((rule) => missingOf(rule, situation).every((field) => field.opaque));
  const asking = unknown.filter((rule) => !hidden.includes(rule));
  const worstIn = (world: readonly Rule[]): Outcome => worst(ways(hidden).map((more) => outcomeIn([...world, ...more])));
  const outcomes = ways(asking).map(worstIn);
  const strict = worstIn(asking.filter((rule) => !isLoosening(rule)));
  const matters = (rule: Rule): boolean => subsets(asking).some((world) => !world.includes(rule) && !sameOutcome(worstIn(world), worstIn([...world, rule])));
  const mattered = outcomes.every((other) => sameOutcome(strict, other)) ? [] : unknown.length > 8 ? asking : asking.filter(matters);
  const tried = mattered.length === 0
    ? { outcome: together(strict, outcomes), missing: [] }
    : { outcome: outcome('DEFER', 'needs_context', '', mattered), missing: mattered.flatMap((rule) => missingOf(rule, situation)).filter((field) => !field.opaque) };

  // 7b to 7d.
  const evidence = deferForEvidence(tried, situation, measure);
  return settled(evidence.outcome, evidence.missing, judged);
}

/** Steps 3 to 6 when exactly these rules hold. */
function inWorld(rules: readonly Rule[], held: readonly Rule[], situation: Situation): Outcome {
  const { snapshot } = situation;
  const of = (...classes: readonly Rule['classification'][]): readonly Rule[] => rules.filter((rule) => classes.includes(rule.classification));
  // 4.
  const denies = of('context_dependent_deny');
  if (denies.length > 0) return outcome('DENY', 'denied_by_context', '', denies);
  // 5.
  const readings = baselines(of('static'), situation).map(({ rules: chosen, kind, base, priority }): Reading => {
    const allows = of('context_dependent_allow');
    const reaches = kind === 'DENY' && allows.some((rule) => rule.priority >= priority);
    return { rules: chosen, kind, end: withChanges(reaches ? allowed(allows, [priority], of('static'), situation) : base, situation) };
  });
  // 6. A conflict that nobody is asked about is not settled by what only tightens.
  const alone = agreed(readings);
  const joined = agreed(readings.map((reading) => ({
    ...reading,
    end: strictest([
      reading.end,
      ...snapshot.guards.map((finding) => guardOutcome(finding, situation)),
      ...snapshot.points.flatMap((answer) => pointOutcome(answer) ?? []),
      ...held.map((rule) => said('STEP_UP', [rule], situation)),
      ...of('context_dependent_decision', 'context_dependent_defer').map((rule) => contextual(said(rule.action, [rule], situation))),
    ], situation),
  })));
  return isDenied(alone) && strictness(joined.kind) < strictness('DEFER') ? alone : joined;
}

const isDenied = (one: Outcome): boolean => one.kind === 'DENY' && one.code === 'rule_conflict';

type Reading = { readonly rules: readonly Rule[]; readonly kind: DecisionKind; readonly end: Outcome };

/** 7b. Rules of one priority that end differently: the approvers of the stricter decide, or nobody could. */
function agreed(readings: readonly Reading[]): Outcome {
  const [first] = readings;
  if (!first) throw new Error('A baseline has at least one reading.');
  const obliging = distinct(readings.flatMap(({ end }) => end.obliging));
  if (readings.every(({ end }) => sameOutcome(first.end, end))) return { ...first.end, obliging };
  const rules = readings.flatMap((reading) => reading.rules);
  if (first.kind !== 'STEP_UP' || first.end.kind !== 'STEP_UP') return outcome('DENY', 'rule_conflict', '', rules);
  return { ...first.end, kind: 'DEFER', code: 'rule_conflict', rules, obliging, conflict: rules };
}

/** Step 3: each reading of the baseline, strictest first. Catalogue and defaults are below every rule. */
function baselines(statics: readonly Rule[], situation: Situation): readonly (Omit<Reading, 'end'> & { readonly base: Outcome; readonly priority: number })[] {
  const { action, policy } = situation;
  const top = Math.max(...statics.map((rule) => rule.priority));
  if (statics.length === 0) {
    const kind = action.entry.decision ?? policy.defaults.decision;
    const base = { ...said(kind, [], situation), ...(kind === 'DENY' ? { code: 'denied_by_default' as const } : {}) };
    return [{ kind, rules: [], priority: top, base }];
  }
  const group = statics.filter((rule) => rule.priority === top);
  const lower = statics.filter((rule) => rule.action === 'MODIFY' && rule.priority < top);
  const next = lower.filter((rule) => rule.priority === Math.max(...lower.map((other) => other.priority)));
  return strictestFirst(group.map((rule) => rule.action)).map((kind) => {
    const rules = group.filter((rule) => rule.action === kind);
    const base = said(kind, rules, situation);
    const whole = [...rules, ...next];
    return { kind, rules, priority: top, base: kind === 'STEP_UP' ? { ...base, rules: whole, obliging: whole, modify: stepsOf(next) } : base };
  });
}

/**
 * Step 5: the most permissive action of the rules that reach the uppermost denial, lowered by alignment and impact, not under what stands without
 * the DENYs that they lift. `denials`: priorities of those, uppermost first; rules that reach only the lower ones still change and ask.
 */
function allowed(allows: readonly Rule[], denials: readonly number[], statics: readonly Rule[], situation: Situation): Outcome {
  const { action, policy, snapshot } = situation;
  const { alignment } = measureAlignment(snapshot.signals);
  const sure = alignment !== null && alignment >= policy.confidence.high && action.facts.impact === 'low' && (snapshot.session.assurance ?? 'same_host') !== 'same_host';
  const levels = denials.map((priority) => {
    const reaching = allows.filter((rule) => rule.priority >= priority);
    const ceiling = strictestFirst(reaching.map((rule) => rule.action)).at(-1) ?? 'STEP_UP';
    return { reaching, ceiling, chosen: reaching.filter((rule) => rule.action === ceiling) };
  });
  const [{ ceiling, chosen } = { ceiling: 'STEP_UP' as const, chosen: [] }] = levels;
  if (alignment === null || alignment < policy.confidence.low) return outcome('DENY', 'low_confidence', '', chosen, { restsOnAlignment: true });
  const changing = levels.flatMap((level) => (level.ceiling === 'MODIFY' ? level.chosen : []));
  const asking = levels.flatMap((level, i) => (i === 0 || !sure || level.ceiling === 'STEP_UP' ? level.reaching : []));
  const top = Math.max(...statics.map((rule) => rule.priority));
  const rest = statics.filter((rule) => rule.action !== 'DENY' || rule.priority !== top);
  const floors = baselines(rest, situation);
  if (floors[0]?.kind === 'DENY' && !denials.includes(floors[0].priority)) {
    const lifted = allowed(allows, [...denials, floors[0].priority], rest, situation);
    if (floors[0].rules.length === 0) return lifted;
    const together = agreed(floors.map((floor, i) => ({ ...floor, end: i === 0 ? lifted : withChanges(floor.base, situation) })));
    return together.code === 'rule_conflict' ? together : { ...lifted, obliging: together.obliging };
  }
  const alone = agreed(floors.map((floor) => ({ ...floor, end: withChanges(floor.base, situation) })));
  if (isDenied(alone)) return alone;
  return agreed(floors.map(({ rules, kind: under, base }) => {
    const done = (end: Outcome): Reading => ({ rules, kind: under, end });
    if (under === 'DEFER') return done(outcome('DEFER', 'needs_context', '', [...chosen, ...rules]));
    const kind = strictestFirst([ceiling, sure ? 'ALLOW' : 'STEP_UP', under === 'DENY' ? 'ALLOW' : under])[0] ?? 'STEP_UP';
    const askers = distinct([...asking, ...rules]).filter((rule) => rule.action === 'STEP_UP');
    const own = distinct([...chosen, ...changing]);
    return done(withChanges({
      ...said(kind, own, situation),
      obliging: distinct([...own, ...base.obliging]),
      demand: kind === 'STEP_UP' ? said('STEP_UP', askers, situation).demand : null,
      modify: [...stepsOf(distinct(changing)), ...base.modify],
    }, situation));
  }));
}

/** Step 6: the strictest kind; demands of that kind join, and so do changes unless nothing runs. */
function strictest(parts: readonly Outcome[], situation: Situation): Outcome {
  const kind = strictestFirst(parts.map((part) => part.kind))[0] ?? 'DENY';
  const alike = parts.filter((part) => part.kind === kind);
  const waiting = alike.filter((part) => part.conflict.length === 0);
  const winning = waiting.length > 0 ? waiting : alike;
  const first = winning.find((part) => part.code === 'internal') ?? winning.find((part) => !part.restsOnAlignment) ?? winning[0];
  if (!first) throw new Error('A join has at least one part.');
  if (kind === 'DENY' || kind === 'ALLOW') return first;
  const changing = kind === 'DEFER' && first.conflict.length === 0 ? [] : parts.filter((part) => part.modify.length > 0);
  return withChanges({
    ...first,
    rules: distinct([...winning, ...changing].flatMap((part) => part.rules)),
    obliging: distinct(parts.flatMap((part) => part.obliging)),
    demand: demandOfAll(winning),
    modify: changing.flatMap((part) => part.modify),
    contextual: changing.some((part) => part.contextual),
    conflict: winning.flatMap((part) => part.conflict),
    undecided: winning.flatMap((part) => part.undecided),
  }, situation);
}

/** Changes of disjoint paths join, those that change nothing drop out, and a MODIFY without any counts as ALLOW. */
function withChanges(whole: Outcome, situation: Situation): Outcome {
  const joined = joinChanges(whole.modify);
  if (!joined) return outcome('DENY', 'rule_conflict', '', whole.rules);
  const modify = effectiveSteps(joined, situation);
  const nothing = whole.kind === 'MODIFY' && modify.length === 0;
  return { ...whole, modify, contextual: whole.contextual && modify.length > 0, ...(nothing ? { kind: 'ALLOW', code: 'allowed' } : {}) };
}

/** The strictest of several ways; equally strict ones ask everybody and make every change. */
function worst(ways: readonly Outcome[]): Outcome {
  const kind = strictestFirst(ways.map((way) => way.kind))[0];
  const alike = ways.filter((way) => way.kind === kind);
  const [first] = alike;
  if (!first) throw new Error('There is always a way.');
  if (ways.every((way) => sameOutcome(first, way))) return together(first, ways);
  const rules = distinct(alike.flatMap((way) => way.rules)).toSorted(byPriority);
  if (kind === 'DENY') return { ...together(first, alike), rules, code: 'opaque_argument' };
  const modify = joinChanges(alike.flatMap((way) => way.modify));
  return modify ? { ...together(first, alike), modify, rules } : outcome('DENY', 'opaque_argument', '', first.rules);
}

const together = (one: Outcome, all: readonly Outcome[]): Outcome => ({
  ...one,
  obliging: distinct([one, ...all].flatMap((each) => each.obliging)),
  demand: demandOfAll([one, ...all]),
  restsOnAlignment: all.some((each) => each.restsOnAlignment),
  contextual: all.some((each) => each.contextual),
});

/** What rules of one kind say; a STEP_UP of no rule asks whom the policy names. */
function said(kind: DecisionKind, rules: readonly Rule[], { policy, action }: Situation): Outcome {
  const asked = rules.length === 0 ? [null] : rules.map((rule) => rule.approval);
  const demands = asked.map((approval) => demandOf(approval, policy, action.facts.impact));
  return outcome(kind, codes[kind], '', rules, { demand: kind === 'STEP_UP' ? joinDemands(demands) : null, modify: kind === 'MODIFY' ? stepsOf(rules) : [] });
}

const contextual = (one: Outcome): Outcome => ({ ...one, contextual: one.kind === 'MODIFY', code: one.kind === 'DENY' ? 'denied_by_context' : one.code });

const codes: Readonly<Record<DecisionKind, ErrorCode>> = { ALLOW: 'allowed', MODIFY: 'modified', STEP_UP: 'needs_approval', DEFER: 'needs_context', DENY: 'denied_by_rule' };

const demandOfAll = (all: readonly Outcome[]): Outcome['demand'] => joinDemands(all.map((each) => each.demand).filter((each) => each !== null));

const distinct = <T>(all: readonly T[]): readonly T[] => [...new Set(all)];

const strictestFirst = (kinds: readonly DecisionKind[]): readonly DecisionKind[] => distinct(kinds).toSorted((a, b) => strictness(b) - strictness(a));

function subsets(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const [first, ...rest] = rules;
  if (!first) return [[]];
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]]);
}

/** The strictest and the loosest way, and all and none. */
const extremes = (rules: readonly Rule[]): readonly (readonly Rule[])[] => [rules.filter((rule) => !isLoosening(rule)), rules.filter(isLoosening), rules, []];
