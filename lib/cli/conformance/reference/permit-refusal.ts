import type { ErrorCode } from '@/lib/shared/error-codes';

import { stateOf, type Action, type World } from './world';

/** Why the permit cannot be used whatever policy says now. */
export function permitRefusal(world: World, { state, permit, session }: Action): ErrorCode | null {
  if (state === 'redeemed' || state === 'succeeded' || state === 'failed' || state === 'unknown') return 'permit_used';
  if (!permit) return 'not_found';
  if (state === 'withdrawn' || state === 'denied') return 'permit_stale';
  if (state !== 'permitted' || permit.expiresAt <= world.now) return 'permit_expired';
  return stateOf(world, session) === 'open' ? null : 'session_closed';
}
