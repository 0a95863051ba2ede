import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ApprovalId } from '@/lib/shared/ids';

import type { PairingVerdict } from './report';

type Step = { readonly index: number; readonly body: ReceiptBody };
type Broken = { readonly verdict: PairingVerdict; readonly detail: string; readonly index: number };
type Found = Omit<Broken, 'index'> | undefined;

/**
 * The first receipt of an action that goes beyond what one action has: it is proposed once, each request asked once and ended once, a
 * denial is final, there is one permit, and nothing goes on after its end. `whole`: the steps begin with its first decision, so what
 * is not among them did not happen.
 */
export function brokenEnding(steps: readonly Step[], whole: boolean): Broken | undefined {
  const line = new EndingLine(whole);
  for (const { index, body } of steps) {
    const found = line.take(body);
    if (found) return { ...found, index };
  }
  return undefined;
}

class EndingLine {
  private decided: ReceiptPredicate<'action_decided'> | undefined;
  private readonly requested = new Set<ApprovalId>();
  private readonly resolved = new Set<ApprovalId>();
  private readonly denied = new Set<ApprovalId>();
  private permitted = false;
  /** Why nothing may go on any more. */
  private over: string | undefined;

  constructor(private readonly whole: boolean) {}

  take(body: ReceiptBody): Found {
    if (this.over !== undefined && goesOn(body)) return { verdict: 'went_on_after_end', detail: `It went on after it had been ${this.over}.` };
    switch (body.kind) {
      case 'action_decided':
        return this.decide(body.predicate);
      case 'approval_requested':
        return this.request(body.predicate);
      case 'approval_voted':
        if (body.predicate.verdict === 'deny') this.denied.add(body.predicate.approval);
        return undefined;
      case 'approval_resolved':
        return this.resolve(body.predicate);
      case 'permit_issued':
        return this.permit() ?? this.fromTheLastDecision(body.predicate.approval);
      case 'action_withdrawn':
        this.over = 'withdrawn';
        return undefined;
      default:
        return undefined;
    }
  }

  private decide(decided: ReceiptPredicate<'action_decided'>): Found {
    const { cause, state, decision } = decided;
    if (this.decided && (cause === 'proposed' || cause === 'edited')) return { verdict: 'proposed_twice', detail: 'The action was proposed twice.' };
    this.decided = decided;
    if (state === 'denied') this.over = 'denied';
    const leads = (decision === 'DENY' && state !== 'denied') || (state === 'held') !== (decided.approval !== undefined) || (state === 'permitted') !== (decided.permit !== undefined);
    const asks = state === 'held' && decision !== 'STEP_UP' && decision !== 'DEFER';
    const waits = state === 'deferred' && decision !== 'DEFER';
    // Only a permit that is void where it was to be used turns what the rules let through into a denial.
    const denies = state === 'denied' && (decision === 'ALLOW' || decision === 'MODIFY') && cause !== 'redeemed';
    if (leads || asks || waits || denies) return { verdict: 'decision_at_odds', detail: `A ${decision} that is called ${state}, or leads elsewhere.` };
    return decided.permit ? this.permit() : undefined;
  }

  private request({ approval }: ReceiptPredicate<'approval_requested'>): Found {
    if (this.requested.has(approval)) return { verdict: 'requested_twice', detail: 'One request was put before people twice.' };
    this.requested.add(approval);
    return this.whole && this.decided?.approval?.id !== approval ? { verdict: 'request_without_decision', detail: 'People were asked for what no decision had asked of them.' } : undefined;
  }

  private resolve({ approval, state, deferral }: ReceiptPredicate<'approval_resolved'>): Found {
    if (this.resolved.has(approval)) return { verdict: 'resolved_twice', detail: 'The request ended twice.' };
    this.resolved.add(approval);
    if (state === 'approved' && this.denied.has(approval)) return { verdict: 'approved_after_denial', detail: 'It was approved although somebody had denied it.' };
    // Somebody asked back: the action waits for the answer, and is decided again.
    const ends = state !== 'approved' && state !== 'stale' && !(state === 'superseded' && deferral !== undefined);
    if (ends) this.over = state;
    return undefined;
  }

  /** Whoever has two permits runs it twice. */
  private permit(): Found {
    if (this.permitted) return { verdict: 'permitted_twice', detail: 'The action got a second permit.' };
    this.permitted = true;
    return undefined;
  }

  private fromTheLastDecision(approval: ApprovalId): Found {
    if (!this.whole || this.decided?.approval?.id === approval) return undefined;
    return { verdict: 'permit_without_approval', detail: 'A permit was issued on a request that its last decision had not asked for.' };
  }
}

function goesOn({ kind, predicate }: ReceiptBody): boolean {
  switch (kind) {
    case 'action_decided':
      return predicate.state !== 'denied';
    case 'approval_resolved':
      return predicate.state === 'approved';
    case 'approval_requested':
    case 'permit_issued':
    case 'permit_redeemed':
      return true;
    default:
      return false;
  }
}
