import { stateOf, type Action, type World } from './world';

/** By what time has ended an action that waits or was not used; null: by nothing. */
export function endOf(world: World, { state, waiting, permit, session }: Action): string | null {
  if ((state === 'held' || state === 'deferred' || state === 'permitted') && stateOf(world, session) !== 'open') return 'session_ended';
  if (state === 'held' && waiting && waiting.expiresAt <= world.now) return 'approval_expired';
  if (state === 'deferred' && waiting && waiting.expiresAt <= world.now) return 'deferral_expired';
  return state === 'permitted' && permit && permit.expiresAt <= world.now ? 'permit_expired' : null;
}
