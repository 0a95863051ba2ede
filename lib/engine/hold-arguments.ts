import type { CanonicalAction } from '@/lib/mediate/action';
import { assertNever } from '@/lib/shared/assert-never';

import type { CompiledPolicy } from './policy';
import type { Predicate } from './predicate';
import { readParameter } from './read-parameter';
import { runTest } from './run-test';
import { both, either, not, truthOf, type Truth } from './truth';

/**
 * The truth of a predicate that permits something by an action's arguments alone: of several values it needs all, and what
 * cannot be read is never true. A predicate that reads anything else is unknown.
 */
export function holdArguments(predicate: Predicate, action: CanonicalAction, policy: Pick<CompiledPolicy, 'internalDomains'>, cautious = true): Truth {
  switch (predicate.is) {
    case 'all':
      return predicate.of.map((part) => holdArguments(part, action, policy, cautious)).reduce(both, 'true');
    case 'any':
      return predicate.of.map((part) => holdArguments(part, action, policy, cautious)).reduce(either, 'false');
    case 'not':
      return not(holdArguments(predicate.of, action, policy, !cautious));
    case 'test':
      return holdTest(predicate, action, policy, cautious);
    case 'compare':
    case 'sequence':
      return 'unknown';
    default:
      return assertNever(predicate);
  }
}

function holdTest({ field, test }: Extract<Predicate, { is: 'test' }>, action: CanonicalAction, policy: Pick<CompiledPolicy, 'internalDomains'>, cautious: boolean): Truth {
  if (field.of !== 'parameter' || test.op === 'in_window' || test.op === 'owned_by') return 'unknown';
  const reading = readParameter(action, field.path);
  if (reading.state === 'absent') return truthOf(test.op === 'exists' && !test.value);
  if (reading.state !== 'known') return 'unknown';
  if (test.op === 'exists') return truthOf(test.value);
  return runTest({ action, policy, snapshot: { identity: { human: '' } } }, field, test, reading.values, cautious);
}
