import type { Field, Test } from '@/lib/engine/predicate';
import { isLoosening, type Rule } from '@/lib/engine/rule';
import type { ParameterRole } from '@/lib/mediate/catalogue';

import type { LintFinding } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';
import { testsOf } from './tests-of';

type Finding = Pick<LintFinding, 'code' | 'message' | 'fix'>;

/** Where one rule is right about what it names, and the same thing is reached past it. */
export function lintBlindSpots(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  return [...pastCommands(rule, parsed), ...urlsAsText(rule, parsed), ...wholeValues(rule, parsed)];
}

/** A file that a tightening rule keeps stays open to `cat` when commands are allowed and no rule looks at them. */
function pastCommands(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  if (!tightens(rule) || !comparesRole(rule, 'path', parsed)) return [];
  const open = [...parsed.catalogue.entries.keys()].find((key) => {
    if (rule.keys.has(key) || commandsOf(key, parsed).length === 0) return false;
    const about = parsed.rules.filter((other) => other.keys.has(key));
    return about.some(isLoosening) && !about.some((other) => tightens(other));
  });
  if (open === undefined) return [];
  return [{
    code: 'open_to_commands', message: `${open} is allowed and no rule holds it back, so a command may reach the same files.`,
    fix: `Hold back the commands that name them: match: { tool: ${open.slice(0, open.lastIndexOf('.'))}, parameters: { command: { matches: … } } }.`,
  }];
}

/** An unanchored pattern finds a host anywhere in a URL, also behind `?`. */
function urlsAsText(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  const loose = isLoosening(rule) && parameterTests(rule).some(({ name, test }) => test.op === 'matches' && !test.source.startsWith('^') && hasRole(rule, name, 'url', parsed));
  return loose ? [{ code: 'url_as_text', message: 'A host is looked for anywhere in the URL, also where it is only text.', fix: 'Compare the host: url: { domain_in: [host.example] }.' }] : [];
}

/** Of several paths, URLs or programs `contains` asks whether one of them is exactly this: who means a part of a text gets nothing. */
function wholeValues(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  const found = parameterTests(rule).find(({ name, test }) => (test.op === 'contains' || test.op === 'contains_all') && (['path', 'url'] as const).some((role) => hasRole(rule, name, role, parsed)));
  if (!found) return [];
  return [{ code: 'contains_whole_values', message: `parameters.${found.name} contains compares whole values here, never a part of one.`, fix: 'Use matches for a part, within for a folder, domain_in for a host.' }];
}

const tightens = (rule: Rule): boolean => rule.action === 'DENY' || (rule.action === 'STEP_UP' && !isLoosening(rule));

const commandsOf = (key: string, { catalogue }: ParsedPolicy): readonly string[] =>
  Object.entries(catalogue.entries.get(key)?.parameters ?? {}).flatMap(([name, spec]) => (spec.role === 'command' ? [name] : []));

const comparesRole = (rule: Rule, role: ParameterRole, parsed: ParsedPolicy): boolean =>
  parameterTests(rule).some(({ name, test }) => test.op !== 'exists' && hasRole(rule, name, role, parsed));

const hasRole = (rule: Rule, name: string, role: ParameterRole, { catalogue }: ParsedPolicy): boolean =>
  [...rule.keys].some((key) => {
    const parameters = catalogue.entries.get(key)?.parameters ?? {};
    return Object.hasOwn(parameters, name) && parameters[name]?.role === role;
  });

const parameterTests = (rule: Rule): readonly { readonly name: string; readonly test: Test }[] =>
  [...testsOf(rule.applies), ...testsOf(rule.context)].flatMap(({ field, test }) => (isParameter(field) ? [{ name: field.path[0] ?? '', test }] : []));

const isParameter = (field: Field): field is Extract<Field, { of: 'parameter' }> => field.of === 'parameter';
