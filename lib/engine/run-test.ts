import type { ParameterRole } from '@/lib/mediate/catalogue';
import { assertNever } from '@/lib/shared/assert-never';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

import { isPrefix, isSameText, isWithinPath } from './compare-text';
import { domainOf, isInDomains } from './domains';
import type { CompiledPolicy } from './policy';
import type { Field, ValueTest } from './predicate';
import type { Situation } from './situation';
import { truthOf, type Truth } from './truth';

/** What a comparison of values looks at beside them. */
export type Compared = Pick<Situation, 'action'> & {
  readonly policy: Pick<CompiledPolicy, 'internalDomains'>;
  readonly snapshot: { readonly identity: Pick<Situation['snapshot']['identity'], 'human'> };
};

/**
 * Holds the values of a field against a test. Where there are several values, a rule that allows (`cautious`) needs all of
 * them and any other rule one of them.
 */
export function runTest(situation: Compared, field: Field, test: ValueTest, values: readonly Json[], cautious: boolean): Truth {
  const role = roleOf(situation, field);
  if (test.op === 'contains' || test.op === 'contains_all') {
    return truthOf(contains(test.values, values, test.op === 'contains_all', role, cautious && field.of === 'parameter'));
  }
  // One outsider among the recipients makes the message external, whatever kind of rule asks.
  const needsAll = cautious && !(test.op === 'external' && test.value);
  let result: Truth = truthOf(needsAll);
  for (const value of values) {
    const truth = runOnValue(situation, test, value, role, cautious);
    if (truth === truthOf(!needsAll)) return truth;
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

export function roleOf({ action }: Pick<Situation, 'action'>, field: Field): ParameterRole | null {
  if (field.of === 'recipient') return 'recipients';
  const [name = ''] = field.of === 'parameter' && field.path.length === 1 ? field.path : [];
  return Object.hasOwn(action.entry.parameters, name) ? (action.entry.parameters[name]?.role ?? null) : null;
}

function contains(
  wanted: readonly Json[],
  values: readonly Json[],
  all: boolean,
  role: ParameterRole | null,
  cautious: boolean,
): boolean {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string' && (role === null || role === 'target')) {
    const found = (part: Json): boolean => typeof part === 'string' && only.includes(part);
    return all ? wanted.every(found) : wanted.some(found);
  }
  const found = (part: Json): boolean => values.some((value) => isSame(value, part, role, cautious));
  const enough = all ? wanted.every(found) : wanted.some(found);
  return enough && (!cautious || values.every((value) => wanted.some((part) => isSame(value, part, role, cautious))));
}

function runOnValue(situation: Compared, test: Exclude<ValueTest, { op: 'contains' | 'contains_all' }>, value: Json, role: ParameterRole | null, cautious: boolean): Truth {
  switch (test.op) {
    case 'eq':
      return truthOf(isSame(value, test.value, role, cautious));
    case 'not':
      return truthOf(!isSame(value, test.value, role, !cautious));
    case 'in':
      return truthOf(test.values.some((wanted) => isSame(value, wanted, role, cautious)));
    case 'not_in':
      return truthOf(!test.values.some((wanted) => isSame(value, wanted, role, !cautious)));
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return compare(value, test.op, test.value);
    case 'matches':
      return truthOf(typeof value === 'string' && test.pattern.test(value));
    case 'starts_with':
      return truthOf(typeof value === 'string' && test.values.some((prefix) => isPrefix(value, prefix, role, cautious)));
    case 'within':
      return truthOf(typeof value === 'string' && test.values.some((folder) => isWithinPath(value, folder, cautious)));
    case 'domain_in':
      return truthOf(typeof value === 'string' && isInDomains(domainOf(value), test.values));
    case 'external': {
      if (situation.policy.internalDomains === null || typeof value !== 'string') return 'unknown';
      return truthOf(isInDomains(domainOf(value), situation.policy.internalDomains) !== test.value);
    }
    case 'owned_by': {
      const owner = test.owner === 'requesting_user' ? situation.snapshot.identity.human : test.owner.named;
      return truthOf(typeof value === 'string' && value.toLowerCase() === owner.toLowerCase());
    }
    case 'exists':
      return truthOf(test.value);
    case 'at_least':
    case 'above':
    case 'at_most':
    case 'below':
      return 'unknown';
    default:
      return assertNever(test);
  }
}

export function isSame(value: Json, wanted: Json, role: ParameterRole | null, cautious: boolean): boolean {
  if (typeof value === 'string' && typeof wanted === 'string') return isSameText(value, wanted, role, cautious);
  if (typeof value !== 'object' || value === null || wanted === null || typeof wanted !== 'object') return value === wanted;
  return canonicalJson(value) === canonicalJson(wanted);
}

/** The number that a value is, or that a text spells; null for anything else. */
export function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value) ? Number(value) : null;
}

/** Numbers compare as numbers, and so do texts that spell one. What is neither cannot be placed: unknown. */
export function compare(value: Json, op: 'lt' | 'lte' | 'gt' | 'gte', limit: number): Truth {
  if (value === null) return 'false';
  const number = numberOf(value);
  if (number === null) return 'unknown';
  switch (op) {
    case 'lt':
      return truthOf(number < limit);
    case 'lte':
      return truthOf(number <= limit);
    case 'gt':
      return truthOf(number > limit);
    case 'gte':
      return truthOf(number >= limit);
    default:
      return assertNever(op);
  }
}
