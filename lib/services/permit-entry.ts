import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import { permitLabels } from '@/lib/context/permit-labels';
import type { Decision } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { PermitRow } from '@/lib/ports/action-store';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** The entry by which an action joins the session's context when its permit is issued. */
export function permitEntryOf(
  id: ActionId,
  effective: CanonicalAction,
  decision: Pick<Decision, 'decision'>,
  inForce: InForce,
  now: string,
): ContextEntry {
  const { facts } = effective;
  const amount = facts.amounts[0];
  return {
    kind: 'permit',
    at: now,
    action: id,
    tool: effective.tool,
    operation: effective.operation,
    effect: effective.entry.effect,
    decision: decision.decision,
    labels: permitLabels(effective, inForce.policy?.compiled.defaults.unclassified ?? 'RESTRICTED'),
    ...(facts.target === undefined ? {} : { target: facts.target }),
    recipients: facts.recipients,
    ...(amount === undefined ? {} : { amount }),
    parameters: effective.parameters,
  };
}

/** An entry in its place behind the session's head. */
export function chained(parts: Pick<PlaneParts, 'sha256'>, { row }: LiveSession, entry: ContextEntry): ChainedEntry & { readonly session: SessionId } {
  const seq = row.seq + 1;
  return { session: row.id, seq, hash: entryHash(parts.sha256, row.head, entry, seq), entry };
}

export const permitTerms = (permit: PermitRow, effective: Digest, decision: Pick<Decision, 'obligations'>, entry: ChainedEntry) => ({
  id: permit.id,
  expires_at: permit.expires_at,
  action_digest: effective,
  obligations: decision.obligations.map(({ kind, value }) => ({ kind, value })),
  context_head: entry.hash,
  context_seq: entry.seq,
  epoch: Number(permit.epoch),
});
