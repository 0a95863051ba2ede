import { RE2JS } from 're2js';

import type { Field, Predicate, Test } from '@/lib/engine/predicate';
import { levelOf } from '@/lib/engine/label-levels';
import { nearestNames } from '@/lib/mediate/nearest-names';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

import type { Diagnostics, Path } from './diagnostics';
import { parseDuration } from './parse-duration';
import type { Spelling } from './spell-value';

export const operators = [
  'eq', 'not', 'in', 'not_in', 'lt', 'lte', 'gt', 'gte', 'contains', 'contains_all', 'matches', 'starts_with', 'domain_in', 'within',
  'owned_by', 'external', 'exists', 'higher_than',
] as const;
export type Operator = (typeof operators)[number];

/** The operators that make sense for each kind of field; the rest is a load error rather than a comparison that is never true. */
const allowed: Readonly<Record<Field['of'], readonly Operator[]>> = {
  parameter: operators.filter((operator) => operator !== 'higher_than' && operator !== 'owned_by'),
  identity: ['eq', 'not', 'in', 'not_in', 'contains', 'contains_all', 'matches', 'starts_with', 'domain_in', 'exists'],
  operation: ['eq', 'not', 'in', 'not_in', 'starts_with', 'matches', 'exists', 'contains'],
  recipient: ['eq', 'not', 'in', 'not_in', 'contains', 'contains_all', 'matches', 'starts_with', 'domain_in', 'external', 'exists'],
  owner: ['eq', 'not', 'in', 'not_in', 'owned_by', 'exists', 'domain_in'],
  attribute: operators.filter((operator) => operator !== 'higher_than' && operator !== 'external'),
  provenance: ['eq', 'not', 'in', 'not_in', 'contains', 'exists'],
  labels: ['eq', 'in', 'not', 'contains', 'contains_all', 'higher_than', 'lt', 'lte', 'gt', 'gte'],
  intent: ['eq', 'in', 'not', 'contains', 'contains_all'],
  prior: ['eq', 'in', 'not', 'contains', 'contains_all'],
  elapsed: ['lt', 'lte', 'gt', 'gte'],
  time: [],
  risk: ['lt', 'lte', 'gt', 'gte'],
  count: ['eq', 'lt', 'lte', 'gt', 'gte'],
};

/**
 * A condition on a field: a scalar (equal), a list (any of), or an object of operators that must all hold. What is absent fails
 * every operator, also a negated one: only `exists: false` holds for it.
 */
export function buildCondition(field: Field, raw: Json, path: Path, diagnostics: Diagnostics, spell: Spelling = (value) => [value]): Predicate {
  if (!isJsonObject(raw)) {
    const values = (isJsonArray(raw) ? raw : [raw]).flatMap((value) => spell(value, path));
    if (isJsonArray(raw) && raw.length === 0) diagnostics.add(path, 'An empty list matches nothing.', 'Name at least one value.');
    if (usesSets(field)) return { is: 'test', field, test: { op: 'contains', values } };
    return { is: 'test', field, test: isJsonArray(raw) ? { op: 'in', values } : { op: 'eq', value: values[0] ?? null } };
  }
  const names = Object.keys(raw);
  if (names.length === 0) diagnostics.add(path, 'A condition needs an operator.', `Use one of ${allowed[field.of].join(', ')}.`);
  const parts = names.map((name) => buildOperator(field, name, raw[name] ?? null, [...path, name], diagnostics, spell));
  const [only] = parts;
  return parts.length === 1 && only ? only : { is: 'all', of: parts };
}

/** Labels, concepts and prior actions are sets: a bare value asks for membership. */
const usesSets = (field: Field): boolean => field.of === 'labels' || field.of === 'intent' || field.of === 'prior';

function buildOperator(field: Field, name: string, raw: Json, path: Path, diagnostics: Diagnostics, spell: Spelling): Predicate {
  const operator = operators.find((known) => known === name);
  if (!operator || !allowed[field.of].includes(operator)) {
    const near = nearestNames(name, allowed[field.of])[0];
    const usable = `Use one of ${allowed[field.of].join(', ')}.`;
    if (operator) diagnostics.add(path, `${name} cannot be asked of this field.`, usable);
    else diagnostics.add(path, `There is no operator ${JSON.stringify(name)}.`, near === undefined ? usable : `Did you mean ${near}?`);
    return { is: 'any', of: [] };
  }
  if (operator === 'not' && (isJsonObject(raw) || usesSets(field))) {
    const negated: Predicate = { is: 'not', of: buildCondition(field, raw, path, diagnostics, spell) };
    return usesSets(field) ? negated : { is: 'all', of: [{ is: 'test', field, test: { op: 'exists', value: true, implied: true } }, negated] };
  }
  const test = buildTest(field, operator, raw, path, diagnostics, spell);
  return test ? { is: 'test', field, test } : { is: 'any', of: [] };
}

function buildTest(field: Field, operator: Operator, raw: Json, path: Path, diagnostics: Diagnostics, spell: Spelling): Test | null {
  const wrong: Wrong = (wanted, example) => {
    diagnostics.add(path, `Wanted ${wanted}.`, `Write it like ${operator}: ${example}.`);
    return null;
  };
  const list = isJsonArray(raw) ? raw : [raw];
  switch (operator) {
    case 'eq':
    case 'not':
      if (usesSets(field)) return { op: 'contains', values: list.flatMap((value) => spell(value, path)) };
      if (isJsonArray(raw) && operator === 'not') return raw.length === 0 ? wrong('at least one value', '[x]') : { op: 'not_in', values: raw.flatMap((value) => spell(value, path)) };
      if (isJsonArray(raw)) return wrong('one value', 'x; for one of several, in: [x, y]');
      return { op: operator, value: spell(raw, path)[0] ?? null };
    case 'in':
    case 'not_in':
      if (!isJsonArray(raw) || raw.length === 0) return wrong('a list of values', '[x, y]');
      return usesSets(field)
        ? { op: 'contains', values: raw.flatMap((value) => spell(value, path)) }
        : { op: operator, values: raw.flatMap((value) => spell(value, path)) };
    case 'contains':
    case 'contains_all':
      if (list.length === 0) return wrong('at least one value', '[x]');
      return field.of === 'provenance'
        ? { op: 'in', values: list.flatMap((value) => spell(value, path)) }
        : { op: operator, values: list.flatMap((value) => spell(value, path)) };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return buildOrder(field, operator, raw, wrong);
    case 'higher_than':
      return typeof raw === 'string' && levelOf(raw) >= 0 ? { op: 'above', level: raw } : wrong(aLevel, 'INTERNAL');
    case 'matches':
      return typeof raw === 'string' ? buildPattern(raw, path, diagnostics) : wrong('a regular expression', '"^test_"');
    case 'starts_with':
    case 'domain_in':
    case 'within': {
      const texts = list.filter((value) => typeof value === 'string' && value !== '').map(String);
      if (texts.length === 0 || texts.length !== list.length) return wrong('a text or a list of texts', '[x, y]');
      return { op: operator, values: operator === 'domain_in' ? texts.map((text) => text.toLowerCase()) : texts };
    }
    case 'owned_by':
      if (typeof raw !== 'string' || raw === '') return wrong('requesting_user, or who owns it', 'requesting_user');
      return { op: operator, owner: raw === 'requesting_user' ? raw : { named: raw } };
    case 'external':
    case 'exists':
      return typeof raw === 'boolean' ? { op: operator, value: raw } : wrong('true or false', 'true');
  }
}

/** Notes what was wanted, with an example after the operator's name; null, so that it can be returned. */
type Wrong = (wanted: string, example: string) => null;

const aLevel = 'a level: PUBLIC, INTERNAL, CONFIDENTIAL or RESTRICTED';

const levelOps = { lt: 'below', lte: 'at_most', gt: 'above', gte: 'at_least' } as const;

function buildOrder(field: Field, operator: 'lt' | 'lte' | 'gt' | 'gte', raw: Json, wrong: Wrong): Test | null {
  if (field.of === 'labels') {
    return typeof raw === 'string' && levelOf(raw) >= 0 ? { op: levelOps[operator], level: raw } : wrong(aLevel, 'INTERNAL');
  }
  if (field.of === 'elapsed') {
    const seconds = typeof raw === 'string' ? parseDuration(raw) : undefined;
    return seconds === undefined ? wrong('a time', '30m') : { op: operator, value: seconds };
  }
  if (field.of === 'risk') {
    return typeof raw === 'number' && raw >= 0 && raw <= 1 ? { op: operator, value: Math.round(raw * 1000) } : wrong('a share from 0 (fits the request) to 1 (speaks against it)', '0.6');
  }
  return typeof raw === 'number' ? { op: operator, value: raw } : wrong('a number', '100');
}

/** Linear-time regular expressions only: no look-around, no back-references. */
function buildPattern(source: string, path: Path, diagnostics: Diagnostics): Test | null {
  if (source.length <= 1000) {
    try {
      return { op: 'matches', source, pattern: RE2JS.compile(source) };
    } catch (cause) {
      diagnostics.add(path, `The regular expression cannot be read: ${cause instanceof Error ? cause.message.slice(0, 200) : 'no reason given'}`, 'Only RE2 syntax runs in linear time.');
      return null;
    }
  }
  diagnostics.add(path, 'The regular expression is over 1000 characters.', 'Say it more shortly, or make several rules of it.');
  return null;
}
