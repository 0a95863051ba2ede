import { mediate } from '@/lib/mediate/mediate';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { JsonObject } from '@/lib/shared/json';

import { decideInWorld } from './decide-in-world';
import { effectiveOf } from './take-decision';
import { stateOf, type Action, type World } from './world';

/** Runs what a live permit covers, once: its parameters, or why not. */
export function execute(world: World, action: Action): { readonly executed: JsonObject } | { readonly refused: ErrorCode } {
  const refusal = refusalOf(world, action);
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

/** Why the permit cannot be used whatever policy says now. */
export function refusalOf(world: World, { state, permit, session }: Action): ErrorCode | null {
  if (state === 'redeemed' || state === 'succeeded' || state === 'failed' || state === 'unknown') return 'permit_used';
  if (!permit) return 'not_found';
  if (state === 'withdrawn' || state === 'denied') return 'permit_stale';
  if (state !== 'permitted' || permit.expiresAt <= world.now) return 'permit_expired';
  return stateOf(world, session) === 'open' ? null : 'session_closed';
}

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
