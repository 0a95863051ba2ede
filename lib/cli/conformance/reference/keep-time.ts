import { settleDependents } from './settle-dependents';
import { stateOf, type Action, type World } from './world';

/** What time brings about: whatever waited, and every unused permit, ends without having run. Nothing is ever allowed by it. */
export function keepTime(world: World): void {
  for (const action of world.actions.values()) {
    const code = endOf(world, action);
    if (code === null) continue;
    action.state = code === 'session_ended' ? 'withdrawn' : 'expired';
    action.code = code;
    settleDependents(world, action);
  }
}

export function endOf(world: World, { state, waiting, permit, session }: Action): string | null {
  if ((state === 'held' || state === 'deferred' || state === 'permitted') && stateOf(world, session) !== 'open') return 'session_ended';
  if (state === 'held' && waiting && waiting.expiresAt <= world.now) return 'approval_expired';
  if (state === 'deferred' && waiting && waiting.expiresAt <= world.now) return 'deferral_expired';
  return state === 'permitted' && permit && permit.expiresAt <= world.now ? 'permit_expired' : null;
}
