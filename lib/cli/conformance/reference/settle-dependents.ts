import { decideInWorld } from './decide-in-world';
import { closed, takeDecision } from './take-decision';
import { placeAmong } from './waiting';
import type { Action, Session, World } from './world';

/** An action has come to an end, or gone on: what waited for it is decided again, or ends with it. */
export function settleDependents(world: World, ended: Action): void {
  for (const one of world.actions.values()) if (one.state === 'deferred' && one.behind.includes(ended)) decideAgain(world, one);
}

/** Decides a deferred action with policy, context and identity of now. It stays deferred while that says so, and its time goes on. */
export function decideAgain(world: World, action: Action): void {
  const { session, id, asked, dependsOn } = action;
  if (action.waiting && action.waiting.expiresAt <= world.now) return;
  // It stands where it stood: behind what came before it, never behind what came later.
  const earlier = { ...world, actions: new Map([...world.actions].filter(([other]) => other < id)) };
  const { behind, denied } = placeAmong(earlier, session, asked, dependsOn);
  const { decision, identity } = decideInWorld(world, session, { id, asked, behind });
  Object.assign(action, { identity, behind });
  takeDecision(world, action, denied === null || decision.decision === 'DENY' ? decision : closed(decision, denied));
  if (action.state !== 'deferred') settleDependents(world, action);
}

/** Something new is known in the session. */
export function decideDeferred(world: World, session: Session): void {
  for (const action of world.actions.values()) if (action.session === session && action.state === 'deferred') decideAgain(world, action);
}
