import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import type { GivenTime } from './given-time';
import type { PairingVerdict } from './report';

type Step = { readonly index: number; readonly body: ReceiptBody };
type Broken = { readonly verdict: PairingVerdict; readonly detail: string; readonly index: number };
type Opened = ReceiptPredicate<'deferral_opened'>;
type Resolved = ReceiptPredicate<'deferral_resolved'>;

/** Times that one source is asked for one field. */
const mostAttempts = 3;

/**
 * The first receipt of an action at which its deferrals do not hold together. `whole`: the steps begin with its first decision,
 * so what is not among them did not happen. `given`: what extensions of others' requests gave it.
 */
export function brokenDeferral(steps: readonly Step[], whole: boolean, given: GivenTime): Broken | undefined {
  const line = new DeferralLine(whole, given);
  for (const { index, body } of steps) {
    const found = line.take(body);
    if (found) return { ...found, index };
  }
  return undefined;
}

class DeferralLine {
  private readonly opened = new Map<string, Opened>();
  private readonly resolved = new Map<string, Resolved>();
  private readonly attempts = new Map<string, ReceiptPredicate<'deferral_attempted'>>();
  private readonly earlier = new Set<string>();
  private beforePeople = false;

  constructor(
    private readonly whole: boolean,
    private readonly given: GivenTime,
  ) {}

  take(body: ReceiptBody): Omit<Broken, 'index'> | undefined {
    const found = this.judge(body);
    this.earlier.add(body.predicate.receipt);
    return found;
  }

  private judge(body: ReceiptBody): Omit<Broken, 'index'> | undefined {
    switch (body.kind) {
      case 'deferral_opened':
        this.opened.set(body.predicate.deferral, body.predicate);
        return undefined;
      case 'approval_requested':
        this.beforePeople = true;
        return undefined;
      case 'deferral_attempted':
        return this.attempt(body.predicate);
      case 'deferral_resolved':
        return this.resolve(body.predicate);
      case 'action_decided':
        return body.predicate.permit ? this.permitted() : undefined;
      case 'permit_issued':
        return this.permitted();
      case 'permit_redeemed': {
        const open = [...this.opened.keys()].some((deferral) => !this.resolved.has(deferral));
        return open ? { verdict: 'redeemed_while_deferred', detail: 'It ran while it was still deferred.' } : undefined;
      }
      default:
        return undefined;
    }
  }

  private attempt(made: ReceiptPredicate<'deferral_attempted'>): Omit<Broken, 'index'> | undefined {
    const { deferral, subject, attribute, source, attempt } = made;
    if (this.whole && !this.opened.has(deferral)) return unopened;
    const key = JSON.stringify([deferral, subject, attribute, source]);
    const last = this.attempts.get(key);
    this.attempts.set(key, made);
    if (last && last.outcome !== 'failed') return { verdict: 'asked_again', detail: `${source} was asked again for what it had settled.` };
    const number = last ? last.attempt + 1 : this.whole ? 1 : attempt;
    if (attempt !== number || attempt > mostAttempts) return { verdict: 'attempts_out_of_line', detail: `${source} was asked out of turn: attempt ${String(attempt)}.` };
    return undefined;
  }

  private resolve(end: Resolved): Omit<Broken, 'index'> | undefined {
    const opening = this.opened.get(end.deferral);
    if (this.whole && !opening) return unopened;
    if (this.resolved.has(end.deferral)) return { verdict: 'deferral_resolved_twice', detail: 'The deferral ended twice.' };
    this.resolved.set(end.deferral, end);
    if (end.outcome === 'decided' && this.whole && !(end.decided !== undefined && this.earlier.has(end.decided))) {
      return { verdict: 'deferral_without_decision', detail: 'The deferral ended by a decision that is not there.' };
    }
    // People answer to the end of their own request.
    if (end.outcome === 'decided' && opening && !this.beforePeople && end.at >= opening.expires_at && Date.parse(end.at) >= Date.parse(opening.expires_at) + this.given(opening)) {
      return { verdict: 'deferral_outlived', detail: 'The deferral was decided after its end.' };
    }
    return undefined;
  }

  /** Time never lets anything through, and neither does taking it back. */
  private permitted(): Omit<Broken, 'index'> | undefined {
    const over = [...this.resolved.values()].find(({ outcome, decided }) => outcome === 'withdrawn' || (outcome === 'expired' && decided === undefined));
    return over ? { verdict: 'permitted_after_deferral_ended', detail: `It was permitted after its deferral had ended ${over.outcome}.` } : undefined;
  }
}

const unopened = { verdict: 'deferral_without_opening', detail: 'A deferral goes on or ends that was never opened.' } as const;
