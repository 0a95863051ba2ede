import { assertNever } from '@/lib/shared/assert-never';

import { hold } from './hold';
import type { Field, Predicate } from './predicate';
import { fieldName, readField } from './read-field';
import type { Missing } from './reading';
import type { Situation } from './situation';

/** Fields whose value, once said, is all that can be said: where it still settles nothing, such as a word where a number is wanted, nobody is asked again. */
const isSaid: readonly Field['of'][] = ['parameter', 'attribute', 'owner'];

/** The fields whose knowledge would settle an unknown predicate; empty when it is not unknown. */
export function missingFields(predicate: Predicate, situation: Situation, cautious: boolean): readonly Missing[] {
  if (hold(predicate, situation, cautious) !== 'unknown') return [];
  switch (predicate.is) {
    case 'all':
    case 'any':
      return predicate.of.flatMap((part) => missingFields(part, situation, cautious));
    case 'not':
      return missingFields(predicate.of, situation, !cautious);
    case 'compare': {
      const missing = [predicate.left, predicate.right].flatMap((field) => {
        const reading = readField(situation, field);
        return reading.state === 'unknown' ? [reading.missing] : [];
      });
      // Both are known: one of them is no number, and nobody can say another.
      return missing.length > 0 ? missing : [{ field: fieldName(predicate.left), subject: null, attribute: null, opaque: true }];
    }
    case 'sequence':
      return [{ field: 'sequence', subject: null, attribute: null, opaque: false }];
    case 'test': {
      const reading = readField(situation, predicate.field);
      if (reading.state === 'unknown') return [reading.missing];
      const field = predicate.test.op === 'external' ? 'recipient.external' : fieldName(predicate.field);
      return [{ field, subject: null, attribute: null, opaque: isSaid.includes(predicate.field.of) }];
    }
    default:
      return assertNever(predicate);
  }
}
