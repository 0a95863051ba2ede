import { byPriority } from './by-priority';
import { joinDemands } from './demand';
import { joinChanges } from './join-changes';
import { missingOf } from './judge-rule';
import { outcome, strictness, type Outcome } from './outcome';
import type { Missing } from './reading';
import { isLoosening, type Rule } from './rule';
import { sameOutcome } from './same-outcome';
import type { Situation } from './situation';

/** Up to this many unknown rules every way they may turn out is tried. */
export const triedExhaustively = 8;

export type Tried = { readonly outcome: Outcome; readonly missing: readonly Missing[] };

/**
 * Step 7a. `settle` gives the outcome when exactly the given unknown rules hold. Rules that only an opaque argument keeps from
 * being known nobody can settle: the strictest way they may turn out stands. The others are tried both ways: one common outcome
 * stands, whatever the missing facts are, else the action is deferred for the fields of the rules that mattered.
 */
export function tryUnknown(unknown: readonly Rule[], settle: (holding: ReadonlySet<Rule>) => Outcome, situation: Situation): Tried {
  const missingBy = new Map(unknown.map((rule) => [rule, missingOf(rule, situation)]));
  const fieldsOf = (rules: readonly Rule[]): readonly Missing[] => rules.flatMap((rule) => missingBy.get(rule) ?? []);
  const opaque = unknown.filter((rule) => fieldsOf([rule]).every((field) => field.opaque));
  const open = unknown.filter((rule) => !opaque.includes(rule));
  const hidden = worldsOf(opaque, unknown.length);
  const settleOpen = (world: ReadonlySet<Rule>): Outcome =>
    opaque.length === 0 ? settle(world) : strictestOf(hidden.map((more) => settle(new Set([...world, ...more]))), fieldsOf(opaque));

  const outcomes = worldsOf(open, unknown.length).map(settleOpen);
  const strict = settleOpen(new Set(open.filter((rule) => !isLoosening(rule))));
  if (outcomes.every((other) => sameOutcome(strict, other))) return { outcome: common(strict, outcomes), missing: [] };

  const mattered = open.filter((_, bit) => unknown.length > triedExhaustively || matters(bit, outcomes)).sort(byPriority);
  const missing = fieldsOf(mattered).filter((field) => !field.opaque);
  const fields = [...new Set(missing.map((field) => field.field))].sort().join(', ');
  return { outcome: outcome('DEFER', 'needs_context', `It depends on what is not known: ${fields}.`, mattered), missing };
}

/** Every way unknown rules may turn out; when there are too many of them the strictest, the loosest, all and none. */
function worldsOf(rules: readonly Rule[], unknown: number): readonly ReadonlySet<Rule>[] {
  if (unknown > triedExhaustively) {
    const loosening = rules.filter(isLoosening);
    const tightening = rules.filter((rule) => !isLoosening(rule));
    return [new Set(tightening), new Set(loosening), new Set(rules), new Set()];
  }
  const worlds: ReadonlySet<Rule>[] = [];
  for (let mask = 0; mask < 1 << rules.length; mask++) worlds.push(new Set(rules.filter((_, i) => (mask >> i) % 2 === 1)));
  return worlds;
}

/** True when somewhere the outcome turns on this rule alone: worlds are numbered by bits, one for each unknown rule. */
function matters(bit: number, outcomes: readonly Outcome[]): boolean {
  return outcomes.some((without, world) => {
    const withRule = outcomes[world | (1 << bit)];
    return withRule !== undefined && withRule !== without && !sameOutcome(without, withRule);
  });
}

function common(strict: Outcome, outcomes: readonly Outcome[]): Outcome {
  return {
    ...strict,
    obliging: [...new Set([strict, ...outcomes].flatMap((each) => each.obliging))],
    demand: joinDemands([strict, ...outcomes].map((each) => each.demand).filter((demand) => demand !== null)),
    restsOnAlignment: outcomes.some((each) => each.restsOnAlignment),
    contextual: outcomes.some((each) => each.contextual),
  };
}

function strictestOf(outcomes: readonly Outcome[], missing: readonly Missing[]): Outcome {
  const strictest = outcomes.reduce((most, each) => (strictness(each.kind) > strictness(most.kind) ? each : most));
  if (outcomes.every((each) => sameOutcome(strictest, each))) return common(strictest, outcomes);
  const alike = outcomes.filter((each) => each.kind === strictest.kind);
  const joined = common(strictest, alike);
  const names = [...new Set(missing.map((field) => field.field))].sort().join(', ');
  if (joined.kind === 'DENY') {
    const rules = [...new Set(alike.flatMap((each) => each.rules))].sort(byPriority);
    return { ...joined, rules, code: 'opaque_argument', reason: `${names} cannot be parsed, and a rule depends on it. ${joined.reason}`.trim() };
  }
  // Equally strict ways may change the action differently; all of their changes are made, or none can be.
  const modify = joinChanges(alike.flatMap((each) => each.modify));
  if (modify) return { ...joined, modify, rules: [...new Set(alike.flatMap((each) => each.rules))].sort(byPriority) };
  return outcome('DENY', 'opaque_argument', `${names} cannot be parsed, and rules that may depend on it disagree.`, joined.rules);
}
