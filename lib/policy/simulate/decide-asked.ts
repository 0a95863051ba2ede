import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { Situation } from '@/lib/engine/situation';
import { mediate } from '@/lib/mediate/mediate';
import { ok, type Result } from '@/lib/shared/result';

import { givenSnapshot } from '../given-snapshot';
import type { Asked } from './read-asked';

export type Decided = { readonly decision: Decision; readonly situation: Situation };

/** Decides without a plane, by the pure engine and what is given. `unknown_tool`, `invalid_parameters`: it is no action of this policy's catalogue. */
export function decideAsked({ action, given }: Asked, policy: CompiledPolicy): Result<Decided> {
  const known = mediate(action, policy.catalogue);
  if (!known.ok) return known;
  const situation: Situation = { action: known.value, snapshot: givenSnapshot(given, policy), policy, nowMs: Date.parse(given.at) };
  return ok({ decision: decideIn(situation), situation });
}

export const decideIn = ({ action, snapshot, policy, nowMs }: Situation): Decision => decide(action, snapshot, policy, new Date(nowMs).toISOString());
