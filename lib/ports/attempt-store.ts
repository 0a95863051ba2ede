import type { DeferralId } from '@/lib/shared/ids';

import type { DeferralRow } from './approval-store';
import type { Tx } from './transaction';

/** One field that one source is asked for. `source` is as the policy names it: `ip:records`. */
export type Asked = {
  readonly deferral: DeferralId;
  readonly subject: string;
  readonly name: string;
  readonly source: string;
};

export const attemptOutcomes = ['supplied', 'unavailable', 'failed'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** A question put to an information point. Without an outcome it is being asked, or whoever asked has died. */
export type AttemptRow = Asked & {
  /** From 1 to 3; the database refuses a fourth. */
  readonly attempt: number;
  readonly asked_at: string;
  readonly answered_at: string | null;
  readonly outcome: AttemptOutcome | null;
  /** Why it failed, in words of ours. */
  readonly detail: string | null;
};

export type AttemptKey = Asked & Pick<AttemptRow, 'attempt'>;

export type AttemptStore = {
  /** Open deferrals whose time to ask has come by the database's clock, longest due first. */
  readonly due: (limit: number) => Promise<readonly DeferralRow[]>;
  /**
   * Moves the time at which a deferral is asked for. False when it is not open, or another process moved it first: of
   * several processes that find it due, one asks.
   */
  readonly askAt: (tx: Tx, deferral: DeferralId, from: string, to: string | null) => Promise<boolean>;
  readonly begin: (tx: Tx, rows: readonly AttemptRow[]) => Promise<void>;
  /** False when it has an outcome already. */
  readonly settle: (tx: Tx, key: AttemptKey, to: { readonly outcome: AttemptOutcome; readonly at: string; readonly detail: string | null }) => Promise<boolean>;
  /** All attempts of these deferrals, in the order in which they were made. */
  readonly ofDeferrals: (deferrals: readonly DeferralId[], tx?: Tx) => Promise<readonly AttemptRow[]>;
};
