import { endOf } from './end-of';
import { settleDependents } from './settle-dependents';
import type { World } from './world';

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
