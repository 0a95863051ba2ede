import type { Decision } from '@/lib/engine/decision';
import { errorCodes, type ErrorCode } from '@/lib/shared/error-codes';
import type { ActionId } from '@/lib/shared/ids';

import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

const waits = (decision: Decision): boolean => decision.decision === 'STEP_UP' || decision.decision === 'DEFER';

/** Too much that waits buries what matters: beyond the policy's bounds the answer is DENY. */
export async function tooManyHeld(parts: PlaneParts, { row }: LiveSession, inForce: InForce, decision: Decision, now: string): Promise<ErrorCode | null> {
  const limits = inForce.policy?.compiled.limits;
  if (!waits(decision) || !limits) return null;
  const minuteAgo = new Date(Date.parse(now) - 60_000).toISOString();
  const waiting = await parts.stores.actions.countWaiting({ session: row.id, agent: row.agent, human: row.human, since: minuteAgo });
  const over =
    waiting.session >= limits.held_per_session ||
    waiting.agent >= limits.held_per_agent ||
    waiting.human >= limits.held_per_human ||
    waiting.agent_since >= limits.new_per_minute;
  return over ? 'too_many_held' : null;
}

/** What an action depends on must have succeeded, in the same session; else it is not begun. */
export async function unmetDependency(parts: PlaneParts, { row }: LiveSession, dependsOn: readonly ActionId[], decision: Decision): Promise<ErrorCode | null> {
  if (dependsOn.length === 0 || decision.decision === 'DENY') return null;
  const found = await parts.stores.actions.find(dependsOn);
  const met = dependsOn.every((id) => found.get(id)?.session === row.id && found.get(id)?.state === 'succeeded');
  return met ? null : 'pipeline_stopped';
}

/** The same decision, closed: nothing of what it would have led to is left. */
export function deniedBecause(decision: Decision, code: ErrorCode): Decision {
  const { approval: _approval, deferral: _deferral, transformed: _transformed, ...rest } = decision;
  return { ...rest, decision: 'DENY', code, reason: `${errorCodes[code].title}.` };
}
