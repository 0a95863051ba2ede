import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';

import type { Action } from './world';

/** What of an action runs when it is permitted: a′ where policy changed it. */
export function effectiveOf({ asked, decision }: Action): CanonicalAction {
  const parameters = decision.transformed?.parameters;
  return parameters === undefined ? asked : { ...asked, parameters, facts: deriveFacts(asked.entry, parameters) };
}
