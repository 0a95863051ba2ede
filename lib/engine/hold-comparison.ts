import type { Json } from '@/lib/shared/json';

import type { Predicate } from './predicate';
import { readField } from './read-field';
import { compare, isSame, numberOf, roleOf } from './run-test';
import type { Situation } from './situation';
import { not, truthOf, type Truth } from './truth';

type Comparison = Extract<Predicate, { is: 'compare' }>;

/**
 * Whether two fields of the action and its context stand in that order or are the same. What is absent fails every comparison. Of
 * several values a rule that allows needs every pair to hold, and any other rule one.
 */
export function holdComparison({ left, op, right }: Comparison, situation: Situation, cautious: boolean): Truth {
  const [first, second] = [readField(situation, left), readField(situation, right)];
  if (first.state === 'absent' || second.state === 'absent') return 'false';
  if (first.state === 'unavailable' || second.state === 'unavailable') return truthOf(!cautious);
  if (first.state !== 'known' || second.state !== 'known') return 'unknown';
  const role = roleOf(situation, left) ?? roleOf(situation, right);
  let result: Truth = truthOf(cautious);
  for (const one of first.values) {
    for (const other of second.values) {
      const truth = holdPair(one, op, other, (negated) => isSame(one, other, role, negated ? !cautious : cautious));
      if (truth === truthOf(!cautious)) return truth;
      if (truth === 'unknown') result = truth;
    }
  }
  return result;
}

function holdPair(one: Json, op: Comparison['op'], other: Json, same: (negated: boolean) => boolean): Truth {
  const [number, limit] = [numberOf(one), numberOf(other)];
  const equal = (negated: boolean): Truth => truthOf(same(negated) || (number !== null && number === limit));
  switch (op) {
    case 'eq':
      return equal(false);
    case 'not':
      return not(equal(true));
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      if (other === null) return 'false';
      return limit === null ? 'unknown' : compare(one, op, limit);
  }
}
