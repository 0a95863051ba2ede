import type { Field, Test } from '@/lib/engine/predicate';
import { fieldName } from '@/lib/engine/read-field';
import type { Catalogue } from '@/lib/mediate/catalogue';

import { isSingle, keyOf } from './conjuncts-of';
import { inOrder, valuesOf } from './rule-covers';

type Asked = { readonly field: Field; readonly test: Test };

/** The name of a field of which the tests together ask the impossible; null when none is found. Sure where it answers, not complete. */
export function contradiction(tests: readonly Asked[], keys: ReadonlySet<string>, catalogue: Catalogue): string | null {
  for (const [i, first] of tests.entries()) {
    const same = tests.slice(i + 1).filter((other) => keyOf(other.field) === keyOf(first.field));
    const clash = same.some(({ test }) => exclude(first.test, test) || exclude(test, first.test));
    const apart = isSingle(first.field, keys, catalogue) && same.some(({ test }) => areApart(first.test, test) || areApart(test, first.test));
    if (clash || apart) return fieldName(first.field);
  }
  return null;
}

/** Whatever the values: what is not there fulfils no comparison. */
const exclude = (first: Test, second: Test): boolean => first.op === 'exists' && !first.value && !(second.op === 'exists' && !second.value);

/** No one value passes both. */
function areApart(first: Test, second: Test): boolean {
  const values = valuesOf(first);
  if (values) return values.every((value) => !mayPass(value, second));
  if (first.op === 'lt' || first.op === 'lte') {
    if (second.op !== 'gt' && second.op !== 'gte') return false;
    return first.value < second.value || (first.value === second.value && (first.op === 'lt' || second.op === 'gt'));
  }
  return false;
}

function mayPass(value: unknown, test: Test): boolean {
  switch (test.op) {
    case 'eq':
      return value === test.value;
    case 'in':
      return test.values.some((other) => other === value);
    case 'not':
      return value !== test.value;
    case 'not_in':
      return !test.values.some((other) => other === value);
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return typeof value !== 'number' || inOrder(value, test.op, test.value);
    case 'matches':
      return typeof value !== 'string' || test.pattern.test(value);
    case 'contains':
    case 'contains_all':
    case 'at_least':
    case 'above':
    case 'at_most':
    case 'below':
    case 'starts_with':
    case 'domain_in':
    case 'within':
    case 'owned_by':
    case 'external':
    case 'exists':
    case 'in_window':
      return true;
  }
}
