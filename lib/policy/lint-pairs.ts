import type { Rule } from '@/lib/engine/rule';
import type { Catalogue } from '@/lib/mediate/catalogue';

import { requiredTests } from './conjuncts-of';
import { contradiction } from './contradictions';
import type { Note } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';
import { covers } from './rule-covers';

/** What only shows when two rules are held beside each other. */
export function lintPairs({ rules, catalogue }: ParsedPolicy, note: Note): void {
  const tables = byOperation(rules);
  for (const rule of rules) {
    // What covers a rule is there for each of its operations, so one of them is enough to find it.
    const [key] = rule.keys;
    const beside = key === undefined ? undefined : tables.get(key);
    if (!beside) continue;
    const forbidding = beside.forbidden.find((other) => other.id !== rule.id && covers(other, rule, catalogue) && !isTwin(rule, other, catalogue));
    if (forbidding) note('covered_by_forbidden', rule, `${forbidding.id} forbids everything that this rule matches.`, 'Remove this rule, or narrow the forbidden one.');
    if (rule.classification === 'context_dependent_allow') noteAllow(rule, beside, catalogue, note);
    if (rule.classification === 'static' && !countsBeneath(rule, tables)) noteStatic(rule, beside, catalogue, note);
    const rival = rule.classification === 'static' ? rivalOf(rule, tables, catalogue) : undefined;
    if (rival) note('conflicting_priority', rule, `${rival.id} has the same priority and another action, and both may apply at once.`, 'Give one of them another priority.');
  }
}

/** Rules for one operation: static ones highest first, and by priority and action. */
type Beside = { readonly forbidden: Rule[]; readonly statics: Rule[]; readonly allows: Rule[]; readonly equals: Map<number, Map<Rule['action'], Rule[]>> };

function byOperation(rules: readonly Rule[]): ReadonlyMap<string, Beside> {
  const tables = new Map<string, Beside>();
  const ranked = [...rules].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  for (const rule of ranked) {
    for (const key of rule.keys) {
      const table: Beside = tables.get(key) ?? { forbidden: [], statics: [], allows: [], equals: new Map() };
      tables.set(key, table);
      if (rule.classification === 'forbidden') table.forbidden.push(rule);
      if (rule.classification === 'context_dependent_allow') table.allows.push(rule);
      if (rule.classification !== 'static') continue;
      table.statics.push(rule);
      const actions = table.equals.get(rule.priority) ?? new Map<Rule['action'], Rule[]>();
      table.equals.set(rule.priority, actions);
      const same = actions.get(rule.action);
      if (same) same.push(rule);
      else actions.set(rule.action, [rule]);
    }
  }
  return tables;
}

/** Of two forbidden rules that say the same, the later one by name is told. */
const isTwin = (rule: Rule, other: Rule, catalogue: Catalogue): boolean => rule.classification === 'forbidden' && other.id > rule.id && covers(rule, other, catalogue);

function noteAllow(rule: Rule, { statics }: Beside, catalogue: Catalogue, note: Note): void {
  const over = higherThan(rule, statics).find((other) => other.action === 'DENY' && covers(other, rule, catalogue));
  if (over) note('shadowed', rule, `${over.id} denies with a higher priority wherever this rule applies, so it never lifts that.`, `Give this rule priority: ${String(over.priority)}, or ${over.id} a lower one.`);
}

/**
 * True where a lower rule still counts: a change beneath a STEP_UP is made, and what would stand without the DENYs bounds how far a
 * context-dependent allow may go.
 */
function countsBeneath(rule: Rule, tables: ReadonlyMap<string, Beside>): boolean {
  return [...rule.keys].some((key) => {
    const { statics = [], allows = [] } = tables.get(key) ?? {};
    return (rule.action !== 'DENY' && allows.length > 0) || (rule.action === 'MODIFY' && statics.some((other) => other.action === 'STEP_UP' && other.priority > rule.priority));
  });
}

function noteStatic(rule: Rule, { statics }: Beside, catalogue: Catalogue, note: Note): void {
  const over = higherThan(rule, statics).find((other) => covers(other, rule, catalogue));
  if (over) note('shadowed', rule, `${over.id} has a higher priority and always applies where this rule does.`, 'Raise the priority of this rule, or remove it.');
}

function higherThan(rule: Rule, statics: readonly Rule[]): readonly Rule[] {
  const end = statics.findIndex((other) => other.priority <= rule.priority);
  return end < 0 ? statics : statics.slice(0, end);
}

/** A rule of the same rank that does something else, named by the first of the two. */
function rivalOf(rule: Rule, tables: ReadonlyMap<string, Beside>, catalogue: Catalogue): Rule | undefined {
  for (const key of rule.keys) {
    for (const [action, others] of tables.get(key)?.equals.get(rule.priority) ?? []) {
      const rival = action === rule.action ? undefined : others.find((other) => other.id > rule.id && mayMeet(other, rule, catalogue));
      if (rival) return rival;
    }
  }
  return undefined;
}

function mayMeet(a: Rule, b: Rule, catalogue: Catalogue): boolean {
  const shared = new Set([...a.keys].filter((key) => b.keys.has(key)));
  return shared.size > 0 && contradiction([...requiredTests(a), ...requiredTests(b)], shared, catalogue) === null;
}
