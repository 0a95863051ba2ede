import { isListedFor } from '@/lib/authority/roster-lookup';
import type { ActionRow } from '@/lib/ports/action-store';

import type { Caller } from './caller';

/** The agent that proposed it, or an enforcement point that the roster lists for that agent. Everybody else sees nothing. */
export const mayUseAction = (caller: Caller, action: Pick<ActionRow, 'agent'>): boolean =>
  caller.kind === 'agent' ? caller.subject === action.agent : caller.kind === 'enforcement_point' && isListedFor(caller.listed, 'agents', action.agent);
