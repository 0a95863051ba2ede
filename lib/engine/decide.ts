import type { CanonicalAction } from '@/lib/mediate/action';
import { deriveFacts } from '@/lib/mediate/facts';
import type { Snapshot } from '@/lib/context/snapshot';
import type { ErrorCode } from '@/lib/shared/error-codes';
import { isDigest } from '@/lib/shared/ids';

import type { Decision } from './decision';
import { engineVersion } from './engine-version';
import { evaluate } from './evaluate';
import { explain } from './explain';
import type { CompiledPolicy } from './policy';
import type { Settled } from './settled';
import type { Situation } from './situation';
import { runRounds } from './run-rounds';

/**
 * The decision about an action in a context under a policy at a time (ISO 8601, UTC). Pure and total: the same inputs give the
 * same bytes on every machine, it never throws, and it stops after a bounded number of steps. A null policy, meaning that none
 * with a valid signature is in force, denies.
 */
export const decide = (action: CanonicalAction, snapshot: Snapshot, policy: CompiledPolicy | null, now: string): Decision =>
  decideBy(evaluate, action, snapshot, policy, now);

/** The same with another way to take steps 1 to 7; tests pass the specification. */
export function decideBy(
  settle: (situation: Situation) => Settled,
  action: CanonicalAction,
  snapshot: Snapshot,
  policy: CompiledPolicy | null,
  now: string,
): Decision {
  // 0. Nothing is decided without a policy, a live session and an identity.
  if (!policy) return refuse(action, snapshot, null, 'policy_unsigned', 'No validly signed policy is in force.');
  if (snapshot.killed) return refuse(action, snapshot, policy, 'kill_switch', 'The kill switch is on.');
  if (snapshot.session.state === 'closed') return refuse(action, snapshot, policy, 'session_closed', 'The session has ended.');
  if (snapshot.session.state === 'expired') return refuse(action, snapshot, policy, 'session_expired', 'The session has expired.');
  if (!snapshot.identity_verified) return refuse(action, snapshot, policy, 'identity_unverifiable', 'An identity could not be verified.');
  const nowMs = Date.parse(now);
  if (!Number.isFinite(nowMs)) return refuse(action, snapshot, policy, 'internal', 'The time of the decision cannot be read.');
  try {
    const known = asCatalogued(action, policy);
    if (!known) return refuse(action, snapshot, policy, 'unknown_tool', `The catalogue knows no ${action.tool}.${action.operation}.`);
    // 1 to 8.
    return explain(runRounds(settle, { action: known, snapshot, policy, nowMs }));
  } catch {
    // A fault in a parser, or a value no type allowed, must not become "no decision": whoever waits would retry or go on.
    return refuse(action, snapshot, policy, 'internal', 'The decision could not be reached.');
  }
}

/** The action under the catalogue of this policy, which may be newer than the one that it was mediated with. */
function asCatalogued(action: CanonicalAction, policy: CompiledPolicy): CanonicalAction | null {
  const entry = policy.catalogue.entries.get(`${action.tool}.${action.operation}`);
  if (!entry) return null;
  return entry === action.entry ? action : { ...action, entry, facts: deriveFacts(entry, action.parameters) };
}

const noDigest = '0'.repeat(64);

function refuse(action: CanonicalAction, snapshot: Snapshot, policy: CompiledPolicy | null, code: ErrorCode, reason: string): Decision {
  if (!isDigest(noDigest)) throw new Error('Sixty-four zeros are a digest.');
  return {
    decision: 'DENY', code, reason, classification: 'static', impact: action.facts.impact,
    obligations: [], grants: [], determining: [], considered: [], unknown: [],
    baseline: { decision: 'DENY', from: code },
    signals: snapshot.signals, evaluability: null, alignment: null,
    policy: policy ? { id: policy.id, digest: policy.digest } : { id: '', digest: noDigest },
    tables: policy?.tables ?? [], engine_version: engineVersion,
  };
}
