import type { ErrorCode } from '@/lib/shared/error-codes';
import type { JsonObject } from '@/lib/shared/json';

import { effectiveOf } from './effective-of';
import { permitRefusal } from './permit-refusal';
import { hasMoved, isOwnResult } from './still-covered';
import type { Action, World } from './world';

/** Runs what a live permit covers, once: its parameters, or why not. */
export function execute(world: World, action: Action): { readonly executed: JsonObject } | { readonly refused: ErrorCode } {
  const refusal = permitRefusal(world, action);
  if (refusal !== null) return { refused: refusal };
  if (hasMoved(world, action) && !isOwnResult(world, action)) {
    action.state = 'denied';
    action.code = 'permit_stale';
    return { refused: 'permit_stale' };
  }
  action.executions += 1;
  action.state = 'redeemed';
  return { executed: effectiveOf(action).parameters };
}
