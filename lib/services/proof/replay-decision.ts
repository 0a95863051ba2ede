import type { Snapshot } from '@/lib/context/snapshot';
import type { NotReplayedReason } from '@/lib/policy/replay-report';
import { decide } from '@/lib/engine/decide';
import type { Decision } from '@/lib/engine/decision';
import { engineVersion } from '@/lib/engine/engine-version';
import type { CompiledPolicy } from '@/lib/engine/policy';
import { isJson } from '@/lib/ledger/json-field';
import type { DecisionKind } from '@/lib/mediate/catalogue';
import { mediate, type ProposedAction } from '@/lib/mediate/mediate';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { asJson } from '@/lib/shared/as-json';
import { isJsonObject, type Json, type JsonObject } from '@/lib/shared/json';
import { isText, shape } from '@/lib/shared/shape';
import { addedDenials } from '@/lib/verify/rederive-decision';
import { parseSnapshot } from '@/lib/verify/parse-snapshot';

import type { Recorded } from './parse-recorded';

/** The policies that a recorded decision is taken again under. `base` is null where nothing was in force. */
export type ReplayPolicies = { readonly base: CompiledPolicy | null; readonly proposed: CompiledPolicy };

/** A decision's receipt with what it rested on, as stored; sealed arguments put back. */
export type ReplaySubject = { readonly recorded: Recorded; readonly action: Json; readonly snapshot: Json };

export type Replayed =
  | {
      readonly state: 'replayed';
      readonly now: DecisionKind;
      readonly then: DecisionKind;
      /** The same kind, but something else would run, be asked or be obliged. */
      readonly otherTerms: boolean;
      /** What was recorded was not this base's decision by this engine: `now` is what it would decide. */
      readonly redone: boolean;
      readonly rules: readonly string[];
    }
  | { readonly state: 'not'; readonly why: NotReplayedReason };

/**
 * One recorded decision, taken again under the policy in force and under the proposal, both by this engine on the recorded snapshot, so that
 * what differs is the proposal's doing and nothing else's. Pure; never throws. What people said is not asked: this is what policy says alone.
 */
export function replayDecision({ base, proposed }: ReplayPolicies, { recorded, action, snapshot }: ReplaySubject): Replayed {
  if (!isProposed(action)) return not('unreadable');
  const evidence = parseSnapshot(snapshot);
  if (!evidence) return not(recorded.engine === engineVersion ? 'unreadable' : 'other_version');
  if (lacksRecent(proposed, action, evidence) || (base && lacksRecent(base, action, evidence))) return not('not_recorded');
  const then = answerOf(proposed, action, evidence, recorded.at);
  const rules = then.decision?.determining.slice(0, 10).map(({ id }) => id) ?? [];
  const own = base !== null && recorded.policy === base.digest && recorded.engine === engineVersion && !addedDenials.some((code) => code === recorded.code);
  // What this engine said under this very policy is recorded; only its terms, where it had any, are not all in the receipt.
  if (base === null || (own && recorded.plain)) {
    const otherTerms = base !== null && then.kind === recorded.decision && termsOf(then.decision) !== plainTerms;
    return { state: 'replayed', now: recorded.decision, then: then.kind, otherTerms, redone: !own, rules };
  }
  const now = answerOf(base, action, evidence, recorded.at);
  return { state: 'replayed', now: now.kind, then: then.kind, otherTerms: now.kind === then.kind && termsOf(now.decision) !== termsOf(then.decision), redone: !own, rules };
}

type Answer = { readonly kind: DecisionKind; readonly decision: Decision | null };

/** What the catalogue does not know, or the parameters do not fit, never gets as far as the rules: it is refused. */
function answerOf(policy: CompiledPolicy, proposed: ProposedAction, snapshot: Snapshot, at: string): Answer {
  const action = mediate(proposed, policy.catalogue);
  if (!action.ok) return { kind: 'DENY', decision: null };
  const decision = decide(action.value, snapshot, policy, at);
  return { kind: decision.decision, decision };
}

/** Earlier actions stand in a snapshot one by one only where a rule of that time read them so. */
function lacksRecent(policy: CompiledPolicy, { tool, operation }: ProposedAction, { prior }: Snapshot): boolean {
  return prior.total > 0 && prior.recent.length === 0 && policy.index.get(`${tool}.${operation}`)?.readsRecent === true;
}

const plainTerms = '';

/** What follows from a decision for whoever acts on it. A denial is a denial, whatever its words. */
function termsOf(decision: Decision | null): string {
  if (!decision || decision.decision === 'DENY') return plainTerms;
  const { transformed, approval, deferral, obligations, grants } = decision;
  if (decision.decision === 'ALLOW' && !transformed && obligations.length === 0 && grants.length === 0) return plainTerms;
  return canonicalJson(
    asJson({
      parameters: transformed?.parameters ?? null,
      approval: approval ?? null,
      deferral: deferral ? { missing: deferral.missing.map(({ field }) => field), escalate: deferral.escalate ?? null, at_timeout: deferral.at_timeout ?? null } : null,
      obligations: [...obligations],
      grants: grants.length > 0,
    }),
  );
}

const not = (why: NotReplayedReason): Replayed => ({ state: 'not', why });

const isParameters = (value: unknown): value is JsonObject => isJson(value) && isJsonObject(value);
const isProposed = shape<ProposedAction>({ tool: isText, operation: isText, parameters: isParameters });
