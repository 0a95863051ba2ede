import type { Field, Predicate, Step, Test } from '@/lib/engine/predicate';
import type { Rule } from '@/lib/engine/rule';
import type { CatalogueEntry, ParameterRole } from '@/lib/mediate/catalogue';
import { nearestNames } from '@/lib/mediate/nearest-names';

import { conjunctsOf, requiredTests } from './conjuncts-of';
import { contradiction } from './contradictions';
import type { LintFinding } from './lint-finding';
import type { ParsedPolicy } from './parse-policy';
import { testsOf } from './tests-of';

type Finding = Pick<LintFinding, 'code' | 'message' | 'fix'>;
type Asked = { readonly field: Field; readonly test: Test };

const never = (message: string, fix: string): Finding => ({ code: 'never_matches', message, fix });

/** Why a rule can never match, or names what cannot have happened. */
export function lintMatching(rule: Rule, parsed: ParsedPolicy): readonly Finding[] {
  if (rule.keys.size === 0) return [never('No operation of the catalogue matches this rule.', 'Correct tool and operation, or add the tool under tools.')];
  const entries = [...rule.keys].flatMap((key) => parsed.catalogue.entries.get(key) ?? []);
  const tests = requiredTests(rule);
  const impossible = contradiction(tests, rule.keys, parsed.catalogue);
  return [
    ...(impossible === null ? [] : [never(`What is asked of ${impossible} cannot all be true at once.`, 'Keep one of the conditions, or make two rules of them.')]),
    ...tests.flatMap((asked) => [...wrongType(asked, entries), ...notThere(asked, entries), ...otherOperation(asked, entries)]),
    ...conjunctsOf(rule).flatMap(({ predicate }) => impossibleSteps(predicate, rule, parsed)),
    ...unknownActions(rule, parsed),
  ];
}

/** A text operator on a number, or a number where texts are. */
function wrongType({ field, test }: Asked, entries: readonly CatalogueEntry[]): readonly Finding[] {
  if (field.of !== 'parameter' || field.path.length > 1) return [];
  const [name = ''] = field.path;
  const types = entries.flatMap(({ parameters }) => (Object.hasOwn(parameters, name) ? [parameters[name]?.type ?? 'any'] : ['any']));
  const isAll = (...wanted: readonly string[]): boolean => types.every((type) => wanted.includes(type));
  const texts = test.op === 'matches' || test.op === 'starts_with' || test.op === 'within' || test.op === 'domain_in';
  if (texts && isAll('number', 'integer', 'boolean')) return [never(`parameters.${name} is no text, so ${test.op} never holds.`, 'Compare it with eq, in, lt or gt.')];
  const values = test.op === 'eq' ? [test.value] : test.op === 'in' ? test.values : [];
  if (values.length === 0) return [];
  if (isAll('number', 'integer') && values.every((value) => typeof value === 'string')) return [never(`parameters.${name} is a number, and it is compared with a text.`, 'Write the number without quotes.')];
  if (isAll('boolean') && values.every((value) => typeof value !== 'boolean' && value !== null)) return [never(`parameters.${name} is true or false, and it is compared with something else.`, 'Compare it with true or false.')];
  if (isAll('string') && values.every((value) => typeof value === 'number' || typeof value === 'boolean')) return [never(`parameters.${name} is a text, and it is compared with something else.`, 'Quote the value.')];
  return [];
}

/** Recipients of what nobody receives, the owner of what has no target. */
function notThere({ field, test }: Asked, entries: readonly CatalogueEntry[]): readonly Finding[] {
  const hasRole = (...roles: readonly ParameterRole[]): boolean => entries.some((entry) => entry.open === true || Object.values(entry.parameters).some(({ role }) => role !== undefined && roles.includes(role)));
  const asksRecipients = field.of === 'recipient' || (field.of === 'attribute' && field.about === 'recipients');
  if (asksRecipients && !(test.op === 'exists' && !test.value) && !hasRole('recipients', 'command')) return [never('Nothing that this rule matches has recipients.', 'Name operations with recipients, or leave the condition out.')];
  const ofTarget = field.of === 'owner' || (field.of === 'attribute' && field.about === 'target' && !/^(?:effect|precondition)\./.test(field.name));
  if (ofTarget && !hasRole('target', 'path', 'query', 'command', 'url', 'recipients')) return [never('Nothing that this rule matches names what it acts on, so nothing is ever known of it.', 'Give a parameter of the tool the role target, or leave the condition out.')];
  return [];
}

/** `when: tool == "email"` beside a match of something else. */
function otherOperation({ field, test }: Asked, entries: readonly CatalogueEntry[]): readonly Finding[] {
  if (field.of !== 'operation' || (field.name !== 'tool' && field.name !== 'operation')) return [];
  const wanted = test.op === 'eq' ? [test.value] : test.op === 'in' ? test.values : null;
  const { name } = field;
  return wanted === null || entries.some((entry) => wanted.includes(entry[name])) ? [] : [never(`None of the operations that match has this ${name}.`, 'Correct it, or say it in match.')];
}

function impossibleSteps(part: Predicate, rule: Rule, { catalogue }: ParsedPolicy): readonly Finding[] {
  const isEmpty = (step: Step): boolean => step.keys?.size === 0 || step.effects?.length === 0;
  const nothing = never('A step names no operation of the catalogue.', 'Correct its tool and operation.');
  if (part.is === 'test') {
    if (part.field.of !== 'count') return [];
    const { which, sums } = part.field;
    if (isEmpty(which)) return [nothing];
    const moves = sums === 'actions' || which.keys === null || [...which.keys].some((key) => Object.values(catalogue.entries.get(key)?.parameters ?? {}).some(({ role }) => role === 'amount'));
    return moves ? [] : [never('Nothing that is counted has an amount, so the volume is always zero.', 'Give the parameter the role amount, or count actions.')];
  }
  if (part.is !== 'sequence') return [];
  if ([...part.before, part.last].some(isEmpty)) return [nothing];
  const { keys } = part.last;
  return keys !== null && ![...rule.keys].some((key) => keys.has(key)) ? [never('The last step of the sequence is not what the rule matches.', 'The last step is the action itself: let it name what match names.')] : [];
}

/** Prior actions that the catalogue does not have cannot have happened. */
function unknownActions(rule: Rule, { catalogue }: ParsedPolicy): readonly Finding[] {
  const named = [...testsOf(rule.context), ...testsOf(rule.applies)].flatMap(({ field, test }) => (field.of === 'prior' && (test.op === 'contains' || test.op === 'contains_all') ? test.values : []));
  return named.flatMap((name): readonly Finding[] => {
    if (typeof name !== 'string' || catalogue.entries.has(name)) return [];
    const [near] = nearestNames(name, catalogue.entries.keys());
    return [{ code: 'no_such_action', message: `The catalogue has no ${name}, so it can never have happened.`, fix: near === undefined ? 'Correct it, or add the tool under tools.' : `Did you mean ${near}?` }];
  });
}
