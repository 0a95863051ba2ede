import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import type { Digest, SessionId } from '@/lib/shared/ids';

import type { Entry } from './parse-entries';
import { failed, passed, type Check } from './report';

type Head = { readonly head: Digest; readonly seq: number };

/** What a receipt says of its session's context: the head it saw, the head it left, or both. */
type ContextStep = { readonly session: SessionId; readonly saw?: Head; readonly left?: Head };

/**
 * Each decision saw exactly the context that the session's receipt before it had left: no action was decided without the
 * others, however many processes decide. A session whose beginning is not in the bundle is followed from where it appears.
 */
export function checkSessions(entries: readonly Entry[], manifest: BundleManifest): Check {
  const heads = new Map<SessionId, Head>();
  for (const { index, anchor, body } of entries) {
    const step = body && contextStep(body);
    // Single receipts leave gaps between them, unless the bundle is exactly this session.
    if (!step || (anchor && manifest.session !== step.session)) continue;
    const before = heads.get(step.session);
    if (before && step.saw && (step.saw.head !== before.head || step.saw.seq !== before.seq)) {
      return failed('sessions', `The decision saw step ${step.saw.seq} of its session, which was at ${before.seq}.`, index);
    }
    const from = before ?? step.saw;
    if (from && step.left && !follows(from, step.left)) return failed('sessions', 'The session’s context went back, or changed without growing.', index);
    const now = step.left ?? step.saw;
    if (now) heads.set(step.session, now);
  }
  return passed('sessions', heads.size === 1 ? 'One session.' : `${heads.size} sessions.`);
}

const follows = (before: Head, after: Head): boolean =>
  after.seq > before.seq ? after.head !== before.head : after.seq === before.seq && after.head === before.head;

function contextStep({ kind, predicate }: ReceiptBody): ContextStep | undefined {
  switch (kind) {
    case 'action_decided': {
      const { identity, permit } = predicate;
      const saw = headOf(predicate);
      return { session: identity.session, saw, ...(permit ? { left: headOf(permit) } : {}) };
    }
    case 'permit_issued':
      return { session: predicate.session, left: headOf(predicate.permit) };
    case 'session_opened':
    case 'session_closed':
    case 'message_recorded':
    case 'attributes_supplied':
    case 'permit_redeemed':
    case 'outcome_reported':
      return { session: predicate.session, left: headOf(predicate) };
    default:
      return undefined;
  }
}

const headOf = ({ context_head, context_seq }: { readonly context_head: Digest; readonly context_seq: number }): Head => ({ head: context_head, seq: context_seq });
