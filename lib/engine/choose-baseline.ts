import type { CatalogueEntry, DecisionKind } from '@/lib/mediate/catalogue';

import type { PolicySettings } from './policy';
import { strictness, type Baseline } from './outcome';
import type { Rule } from './rule';

/** One way to read the baseline: the static rules of the highest priority that share an action, or catalogue or defaults. */
export type BaselineChoice = Baseline & {
  /** Below every rule for the catalogue and the defaults. */
  readonly priority: number;
  readonly rules: readonly Rule[];
  /** Static MODIFY rules ranked under a STEP_UP: kept, so that people see the action as it would run. */
  readonly beneath: readonly Rule[];
};

/**
 * Step 3. `statics` are the applicable static rules by priority, then id. More than one choice means that rules of equal
 * priority disagree; they come strictest first.
 */
export function chooseBaseline(statics: readonly Rule[], entry: CatalogueEntry, policy: PolicySettings): readonly BaselineChoice[] {
  const [top] = statics;
  if (!top) return [belowRules(entry, policy)];
  const group = statics.filter((rule) => rule.priority === top.priority);
  const actions = [...new Set(group.map((rule) => rule.action))].sort((a, b) => strictness(b) - strictness(a));
  return actions.map((action) => {
    const rules = group.filter((rule) => rule.action === action);
    return { decision: action, from: rules.map((rule) => rule.id).join(', '), priority: top.priority, rules, beneath: beneath(action, statics, top.priority) };
  });
}

/** Priorities may be negative, and catalogue and defaults are below those too. */
const belowEveryRule = Number.NEGATIVE_INFINITY;

function belowRules(entry: CatalogueEntry, policy: PolicySettings): BaselineChoice {
  const from: DecisionKind | undefined = entry.decision;
  return from === undefined
    ? { decision: policy.defaults.decision, from: 'defaults', priority: belowEveryRule, rules: [], beneath: [] }
    : { decision: from, from: 'catalogue', priority: belowEveryRule, rules: [], beneath: [] };
}

function beneath(action: DecisionKind, statics: readonly Rule[], priority: number): readonly Rule[] {
  if (action !== 'STEP_UP') return [];
  const modifies = statics.filter((rule) => rule.action === 'MODIFY' && rule.priority < priority);
  return modifies.filter((rule) => rule.priority === modifies[0]?.priority);
}
