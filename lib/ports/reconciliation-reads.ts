import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import type { Counted } from './console-reads';

/** What should have come and did not: a run without outcome, an outcome that nobody knows, a permit that ran out unused. */
export type OpenEnd = 'outcome_missing' | 'outcome_unknown' | 'permit_unused';

export type OpenEndRow = {
  readonly action: ActionId;
  readonly session: SessionId;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string;
  /** The receipt of its latest decision. */
  readonly receipt: { readonly id: ReceiptId; readonly index: bigint };
  readonly changed_at: string;
  readonly outcome_due_at: string | null;
  readonly overdue: boolean;
};

/** Where a page ends. */
export type OpenEndCursor = { readonly at: string; readonly id: ActionId };

type Gap = { readonly from: bigint; readonly to: bigint };

export type ReconciliationReads = {
  /** Latest first, by keyset. */
  readonly openEnds: (
    of: OpenEnd,
    page: { readonly limit: number; readonly after?: OpenEndCursor },
  ) => Promise<{ readonly rows: readonly OpenEndRow[]; readonly next: OpenEndCursor | null }>;
  /** Exact up to `upTo`, beyond it the server's estimate. */
  readonly countOpenEnds: (of: OpenEnd, upTo: number) => Promise<Counted>;
  /** Positions of `from` (included) to `to` (excluded) that no row holds, the first `limit` stretches. */
  readonly gaps: (from: bigint, to: bigint, limit: number) => Promise<readonly Gap[]>;
};
