import type { Field, Predicate } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';

import { pathText, type Path } from './diagnostics';
import { lintBlindSpots } from './lint-blind-spots';
import type { LintFinding } from './lint-finding';
import { lintPredicates } from './lint-predicates';
import type { ParsedPolicy } from './parse-policy';

export type LintOptions = {
  /** Groups that the roster in force knows; left out: not checked. */
  readonly groups?: readonly string[];
};

type Note = (code: LintFinding['code'], rule: Rule | null, message: string, fix: string, at?: Path) => void;

export function lintPolicy(parsed: ParsedPolicy, { groups }: LintOptions = {}): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const note: Note = (code, rule, message, fix, at = []) => {
    const path = [...(rule ? (parsed.places.get(rule.id) ?? ['rules']) : []), ...at];
    findings.push({ code, rule: rule?.id ?? null, message, fix, path: pathText(path), ...parsed.locate(path) });
  };
  lintWhole(parsed, note);
  lintPairs(parsed.rules, note);
  for (const rule of parsed.rules) {
    if (rule.keys.size === 0) note('never_matches', rule, 'No operation of the catalogue matches this rule.', 'Correct tool and operation, or add the tool under tools.', ['match']);
    for (const finding of [...lintPredicates(rule, parsed), ...lintBlindSpots(rule, parsed)]) note(finding.code, rule, finding.message, finding.fix);
    for (const group of groups ? [...(rule.approval.approvers ?? []), ...(rule.approval.escalate?.to ?? [])] : []) {
      if (!groups?.includes(group)) note('no_such_group', rule, `Nobody belongs to ${group}; what waits for it ends in DENY.`, 'Name a group of the roster, or add people to it.', ['approvers']);
    }
  }
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

function lintWhole({ settings, rules }: ParsedPolicy, note: Note): void {
  if (settings.defaults.decision === 'ALLOW') note('default_allows', null, 'Whatever no rule names is allowed.', 'Set defaults: { decision: DENY } and allow what is needed.', ['defaults', 'decision']);
  const asksExternal = rules.filter((rule) => reads(rule.context, (field) => field.of === 'recipient') || reads(rule.applies, (field) => field.of === 'recipient'));
  const [first] = asksExternal;
  if (first && settings.internalDomains === null) note('no_internal_domains', first, 'Which recipients are external is not known.', 'Add directory: { internal_domains: […] }.');
}

function lintPairs(rules: readonly Rule[], note: Note): void {
  const statics = rules.filter((rule) => rule.classification === 'static');
  const forbidden = rules.filter((rule) => rule.classification === 'forbidden' && isUnconditional(rule));
  for (const rule of rules) {
    const over = forbidden.find((other) => other.id !== rule.id && covers(other, rule));
    if (over) note('covered_by_forbidden', rule, `${over.id} forbids everything that this rule matches.`, 'Remove this rule, or narrow the forbidden one.');
  }
  for (const rule of statics) {
    const over = statics.find((other) => other.id !== rule.id && other.priority > rule.priority && isUnconditional(other) && covers(other, rule));
    const kept = rule.action === 'MODIFY' && over?.action === 'STEP_UP';
    if (over && !kept) note('shadowed', rule, `${over.id} has a higher priority and always applies where this rule does.`, 'Raise the priority of this rule, or remove it.');
    const rival = statics.find((other) => other.id > rule.id && other.priority === rule.priority && other.action !== rule.action && isUnconditional(other) && isUnconditional(rule) && meets(other, rule));
    if (rival) note('conflicting_priority', rule, `${rival.id} has the same priority and another action.`, 'Give one of them another priority.');
  }
}

const isUnconditional = (rule: Rule): boolean => isAlways(rule.applies) && isAlways(rule.context);

const isAlways = (predicate: Predicate): boolean => predicate.is === 'all' && predicate.of.every(isAlways);

const covers = (wide: Rule, narrow: Rule): boolean => narrow.keys.size > 0 && [...narrow.keys].every((key) => wide.keys.has(key));

const meets = (a: Rule, b: Rule): boolean => [...a.keys].some((key) => b.keys.has(key));

/** True when the predicate reads a field that the question is true of. */
function reads(predicate: Predicate, question: (field: Field) => boolean): boolean {
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.some((part) => reads(part, question));
    case 'not':
      return reads(predicate.of, question);
    case 'sequence':
      return false;
    case 'test':
      return question(predicate.field);
  }
}

