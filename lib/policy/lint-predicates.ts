import type { Field, Test } from '@/lib/engine/predicate';
import { isLoosening, type Rule } from '@/lib/engine/rule';

import type { LintFinding } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';
import { testsOf } from './tests-of';

type Finding = Pick<LintFinding, 'code' | 'message' | 'fix'>;

/** What is odd about the conditions of one rule. */
export function lintPredicates(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  const tests = [...testsOf(rule.applies), ...testsOf(rule.context)];
  const findings: Finding[] = [];
  const add = (finding: Finding): void => {
    if (!findings.some((other) => other.code === finding.code && other.message === finding.message)) findings.push(finding);
  };
  const read = tests.map(({ field }) => (field.of === 'owner' ? 'owner' : field.of === 'attribute' ? field.name : null));
  for (const attribute of [...read, ...rule.needs.map((need) => need.attribute)]) {
    if (attribute === null || parsed.settings.information.has(attribute)) continue;
    add({ code: 'no_source', message: `No source may supply ${attribute}, so it is never known.`, fix: `Add information: { ${attribute}: { from: ["ip:…"] } }.` });
  }
  for (const { field, test } of tests) {
    if (test.op === 'matches' && matchesEverything(test)) add({ code: 'matches_everything', message: `The regular expression ${test.source} matches every text.`, fix: 'Say what it should find.' });
    if (test.op === 'within' && test.values.includes('/')) add({ code: 'matches_everything', message: 'Every absolute path is within /.', fix: 'Name the folder that is meant.' });
    const name = optionalParameter(rule, field, test, tests, parsed);
    if (name !== null) {
      add({ code: 'optional_without_exists', message: `parameters.${name} may be left out, and then this rule does not apply.`, fix: `Add a rule for { ${name}: { exists: false } }, or make sure that leaving it out is harmless.` });
    }
  }
  return findings;
}

/** An optional parameter that a tightening rule compares without asking whether it is there. */
function optionalParameter(rule: Rule, field: Field, test: Test, tests: readonly { readonly field: Field; readonly test: Test }[], { catalogue }: ParsedPolicy): string | null {
  if (isLoosening(rule) || rule.action === 'MODIFY' || field.of !== 'parameter' || (test.op === 'exists' && test.implied !== true)) return null;
  const [name = ''] = field.path;
  const asks = (other: { readonly field: Field; readonly test: Test }): boolean => other.test.op === 'exists' && other.test.implied !== true && other.field.of === 'parameter' && other.field.path[0] === name;
  if (tests.some(asks)) return null;
  const optional = [...rule.keys].some((key) => {
    const parameters = catalogue.entries.get(key)?.parameters ?? {};
    return Object.hasOwn(parameters, name) && parameters[name]?.optional === true;
  });
  return optional ? name : null;
}

/** By trying it: a pattern that finds itself in a space and in single characters of every kind finds itself everywhere. */
const matchesEverything = (test: Extract<Test, { op: 'matches' }>): boolean => [' ', 'q', 'Q', '7', '_', '/', '.', '@', '-', 'Ω', '日'].every((text) => test.pattern.test(text));
