import { mediate } from '@/lib/mediate/mediate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';

import { decideInWorld } from './decide-in-world';
import type { Action, World } from './world';

/** Policy, switches, identity or the session's context are not those that the permit was issued under. */
export const hasMoved = ({ epoch }: World, { permit, session }: Action): boolean => permit?.epoch !== epoch || permit.head !== session.state.head;

/** Decided with everything of now, the action would come to exactly what was permitted. */
export function isOwnResult(world: World, action: Action): boolean {
  const { asked, decision, session, id, permit } = action;
  const known = world.policy && mediate(asked, world.policy.catalogue);
  if (known?.ok !== true) return false;
  const now = decideInWorld(world, session, { id, asked: known.value, behind: [] }, true).decision;
  const parts = (one: typeof now) => [one.decision, one.transformed?.parameters ?? null];
  if (canonicalJson(parts(now)) !== canonicalJson(parts(decision))) return false;
  if (permit?.voted !== true) return true;
  // The votes were cast on these rules, and this is who was asked.
  const basis = (one: typeof now) => [one.policy.digest, one.determining.map((rule) => rule.id), one.approval ? asJson(one.approval) : null];
  return canonicalJson(basis(now)) === canonicalJson(basis(decision));
}
