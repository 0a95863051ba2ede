import type { Field } from '@/lib/engine/predicate';

import { pathText } from './diagnostics';
import { lintBlindSpots } from './lint-blind-spots';
import type { LintFinding, Note } from './lint-finding';
import { lintMatching } from './lint-matching';
import { lintPairs } from './lint-pairs';
import { lintPeople } from './lint-people';
import { lintPredicates } from './lint-predicates';
import { lintReach } from './lint-reach';
import type { ParsedPolicy } from './parse-policy';
import { testsOf } from './tests-of';

export type LintOptions = {
  /** Groups that the roster in force knows; left out: not checked. */
  readonly groups?: readonly string[];
};

/** What loads but probably does not mean what its author thinks, as it stands in the text. */
export function lintPolicy(parsed: ParsedPolicy, { groups }: LintOptions = {}): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  const note: Note = (code, rule, message, fix, at = []) => {
    const path = [...(rule ? (parsed.places.get(rule.id) ?? ['rules']) : []), ...at];
    findings.push({ code, rule: rule?.id ?? null, message, fix, path: pathText(path), ...parsed.locate(path) });
  };
  lintWhole(parsed, note);
  lintPairs(parsed, note);
  lintPeople(parsed, groups, note);
  lintReach(parsed, note);
  for (const rule of parsed.rules) {
    for (const finding of [...lintMatching(rule, parsed), ...lintPredicates(rule, parsed), ...lintBlindSpots(rule, parsed)]) note(finding.code, rule, finding.message, finding.fix);
  }
  return findings.sort((a, b) => a.line - b.line || a.column - b.column);
}

function lintWhole({ settings, rules }: ParsedPolicy, note: Note): void {
  if (settings.defaults.decision === 'ALLOW') note('default_allows', null, 'Whatever no rule names is allowed.', 'Set defaults: { decision: DENY } and allow what is needed.', ['defaults', 'decision']);
  const asksExternal = (field: Field): boolean => field.of === 'recipient';
  const [first] = rules.filter((rule) => [...testsOf(rule.context), ...testsOf(rule.applies)].some(({ field, test }) => test.op === 'external' || asksExternal(field)));
  if (first && settings.internalDomains === null) note('no_internal_domains', first, 'Which recipients are external is not known.', 'Add directory: { internal_domains: […] }.');
}
