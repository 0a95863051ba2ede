import { contentReferences } from '@/lib/ledger/content-references';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ApprovalId, Digest, SessionId } from '@/lib/shared/ids';

/** A receipt of the sessions at hand. */
export type PlacedBody = { readonly index: number; readonly body: ReceiptBody };

export type EraseTarget =
  | { readonly kind: 'sessions'; readonly sessions: readonly SessionId[] }
  | { readonly kind: 'action'; readonly action: ActionId }
  | { readonly kind: 'content'; readonly digest: Digest };

export type ErasePlan = {
  readonly contents: ReadonlySet<Digest>;
  readonly steps: readonly { readonly session: SessionId; readonly seq: number }[];
  readonly actions: ReadonlySet<ActionId>;
  readonly requests: ReadonlySet<ApprovalId>;
};

/**
 * What has to go so that nothing of the target can be read again. A value stands in more places than the content that names it:
 * the session keeps it as a step of its context, and every later decision there may quote it, in its snapshot and in what people
 * were shown. `bodies` are the receipts of the session and those under it, by rising index; `sealed` gives the seals in a content.
 */
export function erasePlan(bodies: readonly PlacedBody[], target: EraseTarget, sealed: (digest: Digest) => readonly Digest[]): ErasePlan {
  const closure = (digests: readonly Digest[]): readonly Digest[] => [...new Set(digests.flatMap((digest) => [digest, ...sealed(digest)]))];
  const chosen = bodies.filter(({ body }) => isChosen(body, target, closure));
  const contents = new Set<Digest>();
  // Only what these sessions name: another one's content is not theirs to erase, whether or not that has ended.
  if (target.kind === 'content') for (const digest of chosen.length === 0 ? [] : closure([target.digest])) contents.add(digest);
  else for (const { body } of chosen) for (const digest of closure(contentReferences(body))) contents.add(digest);
  const holds = (digest: Digest | undefined): boolean => digest !== undefined && closure([digest]).some((one) => contents.has(one));
  // Whoever decided from here on may have seen it.
  const from = target.kind === 'sessions' ? 0 : (chosen[0]?.index ?? Number.MAX_SAFE_INTEGER);
  const later = bodies.filter(({ index }) => index >= from);
  const quoting = later.flatMap(({ body }) => snapshotsIn(body));
  const actions = new Set<ActionId>();
  for (const { body } of later) if (body.kind === 'action_decided' && holds(body.predicate.action.digest)) actions.add(body.predicate.action.id);
  const requests = new Set(later.flatMap(({ body }) => (body.kind === 'approval_requested' ? [body.predicate.approval] : [])));
  const steps = later.flatMap(({ body }) => stepsOf(body, holds));
  for (const digest of closure(quoting)) contents.add(digest);
  return { contents, steps, actions, requests };
}

function isChosen(body: ReceiptBody, target: EraseTarget, closure: (digests: readonly Digest[]) => readonly Digest[]): boolean {
  switch (target.kind) {
    case 'sessions':
      return true;
    case 'action':
      return actionOf(body) === target.action || (body.kind === 'approval_edited' && body.predicate.edited === target.action) || (body.kind === 'attributes_supplied' && body.predicate.attributes.some(({ subject }) => subject === `action:${target.action}`));
    case 'content':
      return closure(contentReferences(body)).includes(target.digest);
  }
}

function actionOf({ predicate }: ReceiptBody): ActionId | undefined {
  return 'action' in predicate && typeof predicate.action === 'object' ? predicate.action.id : undefined;
}

function snapshotsIn(body: ReceiptBody): readonly Digest[] {
  if (body.kind === 'action_decided') return body.predicate.snapshot_digest === null ? [] : [body.predicate.snapshot_digest];
  return body.kind === 'approval_requested' && body.predicate.held_digest !== undefined ? [body.predicate.held_digest] : [];
}

/** The step of the session's context that holds the text of what a receipt names, when that goes. */
function stepsOf(body: ReceiptBody, holds: (digest: Digest | undefined) => boolean): ErasePlan['steps'] {
  const { kind, predicate } = body;
  switch (kind) {
    case 'action_decided':
      return predicate.permit && holds(predicate.permit.action_digest) ? [{ session: predicate.identity.session, seq: predicate.permit.context_seq }] : [];
    case 'permit_issued':
      return holds(predicate.permit.action_digest) ? [{ session: predicate.session, seq: predicate.permit.context_seq }] : [];
    case 'outcome_reported':
      // Without an output there may still be words of the executor; they go with the action.
      return holds(predicate.output_digest) || holds(predicate.action.digest) ? [{ session: predicate.session, seq: predicate.context_seq }] : [];
    case 'session_opened':
      return holds(predicate.request_digest) ? [{ session: predicate.session, seq: predicate.context_seq }] : [];
    default:
      return 'context_seq' in predicate && 'session' in predicate && predicate.session !== undefined && contentReferences(body).some(holds) ? [{ session: predicate.session, seq: predicate.context_seq }] : [];
  }
}
