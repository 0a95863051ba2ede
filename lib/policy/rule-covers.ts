import { isWithinPath } from '@/lib/engine/compare-text';
import { isInDomains } from '@/lib/engine/domains';
import type { Field, Test } from '@/lib/engine/predicate';
import { isLoosening, type Rule } from '@/lib/engine/rule';
import type { Catalogue } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import { conjunctsOf, isSingle, type Conjunct } from './conjuncts-of';

/** True only when `wide` certainly applies wherever `narrow` does. */
export function covers(wide: Rule, narrow: Rule, catalogue: Catalogue): boolean {
  // What waits for facts stops applying once they are there.
  if (wide.needs.length > 0 || narrow.keys.size === 0 || narrow.keys.size > wide.keys.size) return false;
  for (const key of narrow.keys) if (!wide.keys.has(key)) return false;
  const given = conjunctsOf(narrow);
  return conjunctsOf(wide).every((wanted) => isGiven(wanted, given, wide, narrow, catalogue));
}

function isGiven({ predicate: wanted, key, fieldKey }: Conjunct, given: readonly Conjunct[], wide: Rule, narrow: Rule, catalogue: Catalogue): boolean {
  if (wanted.is === 'test' && holdsByCatalogue(wanted.field, wanted.test, wide, narrow, catalogue)) return true;
  // A rule that allows needs all of several values, and one that holds back is met by any of them.
  const needsSingle = isLoosening(wide) && !isLoosening(narrow);
  return given.some((conjunct) => {
    const part = conjunct.predicate;
    const says = conjunct.key === key || (wanted.is === 'test' && part.is === 'test' && conjunct.fieldKey === fieldKey && impliesTest(part.test, wanted.test));
    return says && !(needsSingle && (part.is !== 'test' || !isSingle(part.field, narrow.keys, catalogue)));
  });
}

/** An effect that the catalogue gives to every operation concerned; arguments can only add further ones. */
function holdsByCatalogue(field: Field, test: Test, wide: Rule, narrow: Rule, catalogue: Catalogue): boolean {
  if (field.of !== 'operation' || field.name !== 'effect' || test.op !== 'in') return false;
  return [...narrow.keys].every((key) => {
    const entry = catalogue.entries.get(key);
    const mayShow = Object.values(entry?.parameters ?? {}).some(({ role }) => role === 'query' || role === 'command');
    return entry !== undefined && test.values.includes(entry.effect) && !(mayShow && isLoosening(wide));
  });
}

/** True when a value that passes the first test passes the second. */
function impliesTest(first: Test, second: Test): boolean {
  if (second.op === 'exists') return second.value && first.op !== 'exists';
  const values = valuesOf(first);
  switch (second.op) {
    case 'eq':
      return values?.every((value) => value === second.value) === true;
    case 'in':
      return values?.every((value) => second.values.includes(value)) === true;
    case 'contains':
      return first.op === 'contains' && first.values.every((value) => second.values.includes(value));
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isInRange(first, second.op, second.value);
    case 'within':
      return first.op === 'within' && first.values.every((folder) => second.values.some((parent) => isWithinPath(folder, parent, true)));
    case 'domain_in':
      return first.op === 'domain_in' && first.values.every((domain) => isInDomains(domain, second.values));
    case 'not':
    case 'not_in':
    case 'contains_all':
    case 'at_least':
    case 'above':
    case 'at_most':
    case 'below':
    case 'matches':
    case 'starts_with':
    case 'owned_by':
    case 'external':
    case 'in_window':
      return false;
  }
}

/** The finite list of values that a test lets through; null when there is none. */
export const valuesOf = (test: Test): readonly Json[] | null => (test.op === 'eq' ? [test.value] : test.op === 'in' ? test.values : null);

function isInRange(first: Test, op: 'lt' | 'lte' | 'gt' | 'gte', limit: number): boolean {
  const values = valuesOf(first);
  if (values) return values.every((value) => typeof value === 'number' && inOrder(value, op, limit));
  if (op === 'lt' || op === 'lte') return (first.op === 'lt' && first.value <= limit) || (first.op === 'lte' && inOrder(first.value, op, limit));
  return (first.op === 'gt' && first.value >= limit) || (first.op === 'gte' && inOrder(first.value, op, limit));
}

export function inOrder(value: number, op: 'lt' | 'lte' | 'gt' | 'gte', limit: number): boolean {
  switch (op) {
    case 'lt':
      return value < limit;
    case 'lte':
      return value <= limit;
    case 'gt':
      return value > limit;
    case 'gte':
      return value >= limit;
  }
}
