import { byPriority } from './by-priority';
import { chooseBaseline } from './choose-baseline';
import { combine, type Standing } from './combine';
import { deferForEvidence } from './defer-for-evidence';
import { judgeRule, missingOf, type Judged } from './judge-rule';
import { measureAlignment, type Measure } from './measure-alignment';
import { outcome, type Outcome } from './outcome';
import type { StepRules } from './policy';
import type { Rule } from './rule';
import { rulesFor } from './rules-for';
import { protectedPath } from './self-modification';
import type { Settled } from './settled';
import type { Situation } from './situation';
import { tryUnknown } from './try-unknown';

/**
 * Steps 1 to 7 for one action as it stands, by the index: rules of other tools and operations are never looked at, and unknown
 * rules are tried both ways only when there are any. `specify` says the same slowly; property tests hold the two equal.
 */
export function evaluate(situation: Situation): Settled {
  const { action, policy, snapshot } = situation;
  const rules = rulesFor(policy.index.get(`${action.tool}.${action.operation}`), situation);
  const measure = measureAlignment(snapshot.signals);

  // 1. Forbidden: final. What an opaque argument hides is treated as there.
  const forbidden = judgeAll(rules, 'forbidden', situation);
  const stop = forbiddenOutcome(forbidden, situation);
  if (stop) return final(stop, forbidden, situation, measure);

  // 2. Grant: a precondition, it never loosens.
  if (action.entry.grant && snapshot.grants.length === 0) {
    return final(outcome('DENY', 'grant_needed', `${action.tool}.${action.operation} needs a grant, and none covers this.`), forbidden, situation, measure);
  }

  // 3 to 6. Combine what holds; 7a. try what is unknown both ways.
  const groups: Groups = {
    statics: judgeAll(rules, 'statics', situation),
    denies: judgeAll(rules, 'denies', situation),
    allows: judgeAll(rules, 'allows', situation),
    joins: judgeAll(rules, 'joins', situation),
  };
  const judged = [...forbidden, ...groups.statics, ...groups.denies, ...groups.allows, ...groups.joins];
  const opaque = forbidden.filter(({ truth }) => truth === 'unknown').map(({ rule }) => rule);
  const unknown = judged.filter(({ rule, truth }) => truth === 'unknown' && rule.classification !== 'forbidden').map(({ rule }) => rule);
  const settle = (holding: ReadonlySet<Rule>): Outcome => combine(standing(groups, opaque, holding), situation, measure);
  const tried = unknown.length === 0 ? { outcome: settle(nothing), missing: [] } : tryUnknown(unknown, settle, situation);

  // 7b to 7d.
  const { outcome: found, missing } = deferForEvidence(tried, situation, measure);
  return { outcome: found, missing, judged, measure, baseline: baselineOf(groups.statics, situation) };
}

type Groups = Readonly<Record<'statics' | 'denies' | 'allows' | 'joins', readonly Judged[]>>;

const nothing: ReadonlySet<Rule> = new Set();

function judgeAll(lists: readonly StepRules[], step: keyof StepRules, situation: Situation): readonly Judged[] {
  const judged: Judged[] = [];
  let from = 0;
  for (const rules of lists) {
    if (judged.length > 0) from += 1;
    for (const rule of rules[step]) {
      const found = judgeRule(rule, situation);
      if (found) judged.push(found);
    }
  }
  return from > 0 ? judged.sort((a, b) => byPriority(a.rule, b.rule)) : judged;
}

/** Null: nothing forbids it, though rules that ask for people instead of a denial may still be unknown. */
export function forbiddenOutcome(forbidden: readonly Judged[], situation: Situation): Outcome | null {
  const { action } = situation;
  const path = protectedPath(action);
  if (path !== null) return outcome('DENY', 'forbidden_action', `${path} belongs to Countersign itself; no policy lets an agent change it.`);
  const matched = forbidden.filter(({ truth }) => truth === 'true').map(({ rule }) => rule);
  const [first] = matched;
  if (first) return outcome('DENY', 'forbidden_action', first.reason, matched);
  const hidden = forbidden.filter(({ rule, truth }) => truth === 'unknown' && !asksPeople(rule, situation)).map(({ rule }) => rule);
  if (hidden.length === 0) return null;
  const fields = [...new Set(hidden.flatMap((rule) => missingOf(rule, situation)).map((missing) => missing.field))].sort().join(', ');
  return outcome('DENY', 'opaque_argument', `${fields} cannot be read, and a forbidden rule depends on it.`, hidden);
}

/** Only where an argument that cannot be parsed is all that keeps the rule from being known may people decide instead. */
function asksPeople(rule: Rule, situation: Situation): boolean {
  const { opaque } = situation.action.facts;
  return rule.opaque === 'STEP_UP' && missingOf(rule, situation).every(({ field }) => opaque.some((name) => field === `parameters.${name}` || field.startsWith(`parameters.${name}.`)));
}

function standing(groups: Groups, opaque: readonly Rule[], holding: ReadonlySet<Rule>): Standing {
  const held = (judged: readonly Judged[]): readonly Rule[] =>
    judged.filter(({ rule, truth }) => truth === 'true' || (truth === 'unknown' && holding.has(rule))).map(({ rule }) => rule);
  return { statics: held(groups.statics), denies: held(groups.denies), allows: held(groups.allows), joins: held(groups.joins), opaque };
}

function final(found: Outcome, judged: readonly Judged[], situation: Situation, measure: Measure): Settled {
  return { outcome: found, missing: [], judged, measure, baseline: { decision: 'DENY', from: found.rules[0]?.id ?? found.code } };
}

/** For the record: what steps 3 found with the rules that are known. */
function baselineOf(statics: readonly Judged[], { action, policy }: Situation): Settled['baseline'] {
  const known = statics.filter(({ truth }) => truth === 'true').map(({ rule }) => rule);
  const [first] = chooseBaseline(known, action.entry, policy);
  return first ? { decision: first.decision, from: first.from } : { decision: policy.defaults.decision, from: 'defaults' };
}
