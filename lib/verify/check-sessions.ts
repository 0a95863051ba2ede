import type { BundleManifest } from '@/lib/ledger/bundle-manifest';
import { requestAssurances } from '@/lib/context/entry';
import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Digest, SessionId } from '@/lib/shared/ids';

import type { Entry } from './parse-entries';
import { failed, passed, type Check } from './report';

type Head = { readonly head: Digest; readonly seq: number };

/** What a receipt says of its session's context: the head it saw, the head it left, or both. */
type ContextStep = { readonly session: SessionId; readonly saw?: Head; readonly left?: Head };

/**
 * Each decision saw exactly the context that the session's receipt before it had left: no action was decided without the
 * others, however many processes decide. A child goes on from its parent at the head that its opening names, with no more than its
 * parent had, and does nothing once it or a session above it has ended. A session whose beginning is not in the bundle is followed
 * from where it appears.
 */
export function checkSessions(entries: readonly Entry[], manifest: BundleManifest): Check {
  const heads = new Map<SessionId, Head>();
  const families = new Families();
  for (const { index, anchor, body } of entries) {
    const step = body && contextStep(body);
    // Single receipts leave gaps between them, unless the bundle is exactly this session.
    if (!step || (anchor && manifest.session !== step.session)) continue;
    const unruly = families.next(body, heads);
    if (unruly !== undefined) return failed('sessions', unruly, index);
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

type Opening = ReceiptPredicate<'session_opened'>;

/** Which sessions are open, and under which: as far as the bundle shows. */
class Families {
  private readonly openings = new Map<SessionId, Opening>();
  private readonly ended = new Set<SessionId>();

  /** What is wrong with the receipt, given those before it. */
  next({ kind, predicate }: ReceiptBody, heads: ReadonlyMap<SessionId, Head>): string | undefined {
    switch (kind) {
      case 'session_opened': {
        if (this.openings.has(predicate.session)) return `Session ${predicate.session} was opened twice.`;
        const wrong = predicate.parent ? this.childFault(predicate, heads.get(predicate.parent.session)) : undefined;
        this.openings.set(predicate.session, predicate);
        return wrong ?? (!predicate.parent && predicate.delegation.length > 0 ? 'A session without a parent names sessions above it.' : undefined);
      }
      case 'session_closed': {
        this.ended.add(predicate.session);
        const left = [...this.openings.values()].find(({ session, delegation }) => delegation.includes(predicate.session) && !this.ended.has(session));
        return left && `Session ${predicate.session} ended before its child ${left.session}.`;
      }
      case 'action_decided':
        return this.identityFault(predicate.identity) ?? (predicate.permit ? this.lifeFault(predicate.identity.session) : undefined);
      case 'permit_issued':
      case 'permit_redeemed':
        return this.lifeFault(predicate.session);
      default:
        return undefined;
    }
  }

  /** Whom a decision says that it was for is whom the session was opened for. Role and scope may have changed since. */
  private identityFault({ session, human, agent, service, delegation }: ReceiptPredicate<'action_decided'>['identity']): string | undefined {
    const opening = this.openings.get(session);
    if (!opening) return undefined;
    const same = human === opening.human && agent === opening.agent && service === opening.service && delegation.join() === opening.delegation.join();
    return same ? undefined : 'The decision is for another human, service, agent or line of sessions than its session was opened for.';
  }

  private lifeFault(session: SessionId): string | undefined {
    const over = [session, ...(this.openings.get(session)?.delegation ?? [])].find((one) => this.ended.has(one));
    return over && `Something was permitted in ${session} after ${over} had ended.`;
  }

  private childFault(child: Opening, parentAt: Head | undefined): string | undefined {
    const { session, delegation, parent } = child;
    if (!parent || delegation[0] !== parent.session) return `The sessions above ${session} do not begin with its parent.`;
    if (parentAt && (parentAt.head !== parent.context_head || parentAt.seq !== parent.context_seq)) {
      return `Session ${session} goes on from step ${parent.context_seq} of its parent, which was at ${parentAt.seq}.`;
    }
    const dead = delegation.find((one) => this.ended.has(one));
    if (dead) return `Session ${session} was opened under ${dead}, which had ended.`;
    const above = this.openings.get(parent.session);
    if (!above) return undefined;
    if (delegation.length !== above.delegation.length + 1 || above.delegation.some((one, at) => one !== delegation[at + 1])) return `Session ${session} names other sessions above it than its parent does.`;
    if (child.human !== above.human) return `Session ${session} is for another human than its parent.`;
    return trustOf(child) < trustOf(above) ? `Session ${session} claims a better vouched request than its parent had.` : undefined;
  }
}

/** Position among the assurances, best first; no request at all is none that could be believed. */
const trustOf = ({ request_assurance }: Opening): number => (request_assurance === null ? requestAssurances.length : requestAssurances.indexOf(request_assurance));

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
    case 'delegation_recorded':
    case 'attributes_supplied':
    case 'label_lowered':
    case 'approval_edited':
    case 'permit_redeemed':
    case 'outcome_reported':
      return { session: predicate.session, left: headOf(predicate) };
    default:
      return undefined;
  }
}

const headOf = ({ context_head, context_seq }: { readonly context_head: Digest; readonly context_seq: number }): Head => ({ head: context_head, seq: context_seq });
