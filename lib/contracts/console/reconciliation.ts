import { z } from 'zod';

import type { ErrorCode } from '@/lib/shared/error-codes';

import { pageSize } from './fields';
import type { Counted } from './receipts';

/** What should have come and did not. Names are those of the verifier's verdicts, where it has one. */
export const reconciliationLists = ['outcome_missing', 'outcome_unknown', 'permit_unused', 'redemption_refused'] as const;
export type ReconciliationList = (typeof reconciliationLists)[number];

export const reconciliationQuery = z.strictObject({
  list: z.enum(reconciliationLists),
  limit: pageSize,
  /** Where the page before ended, as it was given. */
  after: z.string().max(200).optional(),
});
export type ReconciliationQuery = z.infer<typeof reconciliationQuery>;

export type ReconciliationItem = {
  /** The receipt that tells of it: the decision, or the refusal itself. */
  readonly receipt: string;
  readonly index: number;
  readonly at: string;
  readonly action: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly operation: string | null;
  /** Of a missing outcome: when it was due, and whether that is over. */
  readonly due_at: string | null;
  readonly overdue: boolean;
  /** Of a refusal: why. */
  readonly code: ErrorCode | null;
};

export type ReconciliationView = {
  readonly items: readonly ReconciliationItem[];
  readonly next: string | null;
};

export type ReconciliationCounts = { readonly [List in ReconciliationList]: Counted };

/** One stretch of the log, looked at for positions that have no receipt. */
export const gapsQuery = z.strictObject({ from: z.coerce.number().int().min(0).default(0) });

export type GapsView = {
  /** What was looked at: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** Positions that the log counts and no row holds; both ends included. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Where to go on; null at the log's end. */
  readonly next: number | null;
};
