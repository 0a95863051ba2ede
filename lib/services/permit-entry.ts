import { amountMoved } from '@/lib/context/amount-moved';
import { embeddedBy, type Embedding } from '@/lib/context/embedding';
import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry, ContextEntry, Inherited } from '@/lib/context/entry';
import { permitLabels } from '@/lib/context/permit-labels';
import { familyOf } from '@/lib/context/relatives';
import { resourcesRead } from '@/lib/context/resources';
import type { Decision } from '@/lib/engine/decision';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { PermitRow } from '@/lib/ports/action-store';
import { toBase64 } from '@/lib/shared/encoding';
import { isId, type ActionId, type Digest, type SessionId } from '@/lib/shared/ids';

import type { InForce } from './in-force';
import { unclassifiedIn, writtenByPermit } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** The entry by which an action joins the session's context when its permit is issued. */
export function permitEntryOf(
  id: ActionId,
  effective: CanonicalAction,
  decision: Pick<Decision, 'decision'>,
  inForce: InForce,
  now: string,
  session: LiveSession,
  inherited: Inherited,
  salt: Uint8Array,
  embedding: Embedding | undefined,
): ContextEntry {
  const { facts } = effective;
  const amount = amountMoved(facts.amounts);
  const root = familyOf(session.state);
  const reads = resourcesRead(effective, session.row.human);
  const embedded = embedding && embeddedBy(embedding);
  const writes = writtenByPermit(session, effective, inherited, inForce);
  return {
    action: id,
    ...(amount === undefined ? {} : { amount }),
    at: now,
    decision: decision.decision,
    effect: effective.entry.effect,
    ...(facts.effects.length > 1 ? { effects: facts.effects } : {}),
    ...(embedded ? { embedded } : {}),
    ...(inherited.origin === null && inherited.labels.length === 0 ? {} : { inherits: inherited }),
    kind: 'permit',
    labels: [...new Set([...permitLabels(effective, unclassifiedIn(inForce)), ...inherited.labels])].sort(),
    operation: effective.operation,
    parameters: effective.parameters,
    ...(root === null || !session.relatives ? {} : { family: { root, n: session.relatives.n + 1 } }),
    ...(reads.length > 0 ? { reads } : {}),
    recipients: facts.recipients,
    salt: toBase64(salt),
    ...(facts.target === undefined ? {} : { target: facts.target }),
    tool: effective.tool,
    ...(writes ? { writes } : {}),
  };
}

/** An entry in its place behind the session's head. */
export function chained(parts: Pick<PlaneParts, 'sha256' | 'ids'>, { row }: Pick<LiveSession, 'row'>, unsalted: ContextEntry): ChainedEntry & { readonly session: SessionId } {
  const seq = row.seq + 1;
  const entry = salted(parts, unsalted);
  return { session: row.id, seq, hash: entryHash(parts.sha256, row.head, entry, seq), entry };
}

/** Kinds of steps whose text is erased with their session's. What follows from a receipt alone (who opened what, a lowered label) is told there anyway, and its hash can be computed from it. */
const withText: ReadonlySet<ContextEntry['kind']> = new Set(['request', 'permit', 'outcome', 'attribute', 'person_value']);

/** With a salt where there is text, unless it has one: permits bring theirs, in its place among the names, so that they are written in one go. */
export const salted = ({ ids }: Pick<PlaneParts, 'ids'>, entry: ContextEntry): ContextEntry =>
  entry.salt === undefined && withText.has(entry.kind) ? { ...entry, salt: toBase64(ids.salt()) } : entry;

export const permitTerms = (permit: PermitRow, effective: Digest, decision: Pick<Decision, 'obligations' | 'grants'>, entry: ChainedEntry) => ({
  action_digest: effective,
  context_head: entry.hash,
  context_seq: entry.seq,
  epoch: Number(permit.epoch),
  expires_at: permit.expires_at,
  ...(decision.grants.length > 0 ? { grants: decision.grants.filter((grant) => isId('grant', grant)) } : {}),
  id: permit.id,
  obligations: decision.obligations.map(({ kind, value }) => ({ kind, value })),
});
