import type { ActionResult, ShownFault } from '@/lib/contracts/console/action-result';

import { ReadFault, unreachable } from './parse-answer';

/** The value of a server action, or a thrown `ReadFault`, so that a mutation carries the refusal. */
export function actionValue<Value>(answer: ActionResult<Value>): Value {
  if (answer.ok) return answer.value;
  throw new ReadFault(answer.error);
}

/** What a mutation's error says; an error without a code means that the server gave no answer. */
export const refusalOf = (error: Error | null): ShownFault | null => (error === null ? null : error instanceof ReadFault ? error.shown : unreachable());
