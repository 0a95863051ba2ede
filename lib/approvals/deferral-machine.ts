import { assertNever } from '@/lib/shared/assert-never';
import { err, ok, type Fault, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

export const deferralStatuses = ['open', 'resolved', 'expired', 'withdrawn'] as const;
export type DeferralStatus = (typeof deferralStatuses)[number];

/** What re-deciding may end a deferral with. DEFER again leaves it open. */
export type DeferralOutcome = 'ALLOW' | 'MODIFY' | 'STEP_UP' | 'DENY';

/** An action that waits for context. `at_timeout` is STEP_UP only where a rule says so; that request then ends in DENY. */
export type DeferralState =
  | { readonly status: 'open'; readonly expires_at: Timestamp; readonly at_timeout: 'DENY' | 'STEP_UP' }
  | { readonly status: 'resolved'; readonly at: Timestamp; readonly decision: DeferralOutcome }
  | { readonly status: 'expired'; readonly at: Timestamp; readonly decision: 'DENY' | 'STEP_UP' }
  | { readonly status: 'withdrawn'; readonly at: Timestamp; readonly by: string };

export type ResolvedDeferral = Exclude<DeferralState, { readonly status: 'open' }>;

export type DeferralEvent = { readonly now: Timestamp } & (
  | { readonly kind: 'redecide'; readonly decision: DeferralOutcome | 'DEFER' }
  | { readonly kind: 'expire' }
  | { readonly kind: 'withdraw'; readonly by: string }
);

export type DeferralRefusal = Fault & { readonly winner?: ResolvedDeferral };

/** Stored by compare-and-set, like the approval's. INVARIANT: time alone never ends in ALLOW or MODIFY. */
export function nextDeferralState(state: DeferralState, event: DeferralEvent): Result<DeferralState, DeferralRefusal> {
  if (state.status !== 'open') {
    return err({ code: 'already_resolved', detail: `The deferral is over: ${state.status} at ${state.at}.`, winner: state });
  }
  const { now } = event;
  if (event.kind === 'expire') {
    if (now < state.expires_at) return err({ code: 'conflict', detail: `The deferral is open until ${state.expires_at}.` });
    return ok({ status: 'expired', at: state.expires_at, decision: state.at_timeout });
  }
  if (now >= state.expires_at) return err({ code: 'deferral_expired', detail: `The deferral expired at ${state.expires_at}.` });
  switch (event.kind) {
    case 'redecide':
      return ok(event.decision === 'DEFER' ? state : { status: 'resolved', at: now, decision: event.decision });
    case 'withdraw':
      return ok({ status: 'withdrawn', at: now, by: event.by });
    default:
      return assertNever(event);
  }
}
