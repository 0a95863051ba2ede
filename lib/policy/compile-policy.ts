import type { CompiledPolicy, OperationRules } from '@/lib/engine/policy';
import type { Predicate } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';

import type { ParsedPolicy } from './parse-policy';

/** Indexes the rules by tool and operation, so that deciding never looks at a rule that cannot apply. */
export function compilePolicy(parsed: ParsedPolicy): CompiledPolicy {
  const rules = [...parsed.rules].sort(byPriority);
  const lists = new Map<string, Rule[]>();
  for (const key of parsed.catalogue.entries.keys()) lists.set(key, []);
  for (const rule of rules) for (const key of rule.keys) lists.get(key)?.push(rule);
  const index = new Map<string, OperationRules>();
  for (const [key, list] of lists) index.set(key, byStep(list));
  return { ...parsed.settings, digest: parsed.digest, catalogue: parsed.catalogue, rules, index, tables: parsed.tables };
}

/** Highest first; equal ones by id, so that the order in the text never matters. */
function byPriority(a: Rule, b: Rule): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function readsRecent(predicate: Predicate): boolean {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.some(readsRecent);
    case 'not':
      return readsRecent(predicate.of);
    case 'test':
      return predicate.field.of === 'count';
    case 'sequence':
      return true;
  }
}

function byStep(rules: readonly Rule[]): OperationRules {
  return {
    forbidden: rules.filter((rule) => rule.classification === 'forbidden'),
    statics: rules.filter((rule) => rule.classification === 'static'),
    denies: rules.filter((rule) => rule.classification === 'context_dependent_deny'),
    allows: rules.filter((rule) => rule.classification === 'context_dependent_allow'),
    joins: rules.filter((rule) => rule.classification === 'context_dependent_decision' || rule.classification === 'context_dependent_defer'),
    readsRecent: rules.some(({ applies, context }) => readsRecent(applies) || readsRecent(context)),
  };
}
