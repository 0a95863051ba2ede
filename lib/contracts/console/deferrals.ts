import type { ActionId, DeferralId, SessionId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';

/** An action that waits for something that is missing. */
export type DeferralItem = {
  readonly id: DeferralId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly title: string;
  readonly agent: string;
  readonly human: string;
  readonly impact: Impact;
  readonly missing: readonly { readonly field: string; readonly subject: string | null; readonly suppliers: readonly string[] }[];
  /** Rules that made it wait. */
  readonly rules: readonly string[];
  readonly deferred_at: string;
  readonly expires_at: string;
  readonly at_timeout: 'DENY' | 'STEP_UP';
};

export type DeferralsView = { readonly items: readonly DeferralItem[]; readonly now: string };
