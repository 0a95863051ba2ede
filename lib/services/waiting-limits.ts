import type { Decision } from '@/lib/engine/decision';
import type { ActionStore } from '@/lib/ports/action-store';
import { errorCodes, type ErrorCode } from '@/lib/shared/error-codes';

import type { InForce } from './in-force';
import type { EarlierDenial } from './repeated-denial';
import type { LiveSession } from './session-contexts';
import { isOver, type WaitingBounds } from './waiting-bounds';
import type { InTheWay } from './waiting-order';

/** Actions that one may wait for at once: as many as a receipt names. */
const mostAhead = 100;

const waits = (decision: Decision): boolean => decision.decision === 'STEP_UP' || decision.decision === 'DEFER';

/** The bounds that an action which is to wait comes under; null for one that does not wait. The commit counts again under its lock. */
export function boundsOf({ row }: LiveSession, inForce: InForce, decision: Decision, now: string): WaitingBounds | null {
  const limits = inForce.policy?.compiled.limits;
  if (!waits(decision) || !limits) return null;
  return { of: { session: row.id, agent: row.agent, human: row.human, since: new Date(Date.parse(now) - 60_000).toISOString() }, limits };
}

/** Too much that waits buries what matters: beyond the policy's bounds the answer is DENY. */
export async function tooManyHeld(actions: Pick<ActionStore, 'countWaiting'>, bounds: WaitingBounds | null): Promise<ErrorCode | null> {
  return bounds && isOver(await actions.countWaiting(bounds.of), bounds.limits) ? 'too_many_held' : null;
}

/**
 * Why an action may not wait where it stands: something that it depends on can never succeed any more, or it would wait behind
 * more actions than the policy lets stand behind each other.
 */
export function stopsInLine({ broken, waits, depth }: InTheWay, inForce: InForce, decision: Decision): ErrorCode | null {
  if (decision.decision === 'DENY') return null;
  if (broken) return 'pipeline_stopped';
  const tooDeep = waits.length > 0 && depth > (inForce.policy?.compiled.deferrals.depth ?? 0);
  return tooDeep || waits.length > mostAhead ? 'deferral_too_deep' : null;
}

/** The same decision, closed: nothing of what it would have led to is left. */
export function deniedBecause(decision: Decision, code: ErrorCode, earlier: EarlierDenial | null = null): Decision {
  const { approval: _approval, deferral: _deferral, transformed: _transformed, ...rest } = decision;
  const why = errorCodes[code].title;
  if (!earlier) return { ...rest, decision: 'DENY', code, reason: `${why}.` };
  return { ...rest, decision: 'DENY', code, reason: `${why}: ${earlier.action}.`, ...(earlier.guidance === null ? {} : { guidance: earlier.guidance }) };
}
