import { z } from 'zod';

import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';

import { id, pageSize } from './fields';
import { receiptFilterFields } from './receipt-filters';

/** A page of the receipts that the filters let through. Newest first; `before` is the index to go on below. */
export const receiptsQuery = z.strictObject({
  ...receiptFilterFields,
  limit: pageSize,
  before: z.coerce.number().int().min(0).optional(),
});
export type ReceiptsQuery = z.infer<typeof receiptsQuery>;

/** Which receipts that belong to a decision are in the log. `lapsed`: the request ran out, was withdrawn or fell away. */
export type Paired = {
  readonly approval: 'not_needed' | 'waiting' | 'signed' | 'refused' | 'lapsed';
  readonly outcome: 'waiting' | 'recorded' | 'not_run';
};

export type ReceiptRow = {
  readonly index: number;
  readonly id: string;
  readonly kind: ReceiptKind;
  readonly at: string;
  readonly session: string | null;
  readonly action: string | null;
  readonly agent: string | null;
  readonly person: string | null;
  /** The person's name in the signed roster; null when no roster lists them. */
  readonly person_name: string | null;
  readonly tool: string | null;
  readonly operation: string | null;
  readonly decision: string | null;
  readonly revision: number | null;
  readonly labels: readonly string[];
  /** Rules that determined the decision, in the receipt's order. */
  readonly rules: readonly string[];
  /** Of a decision in a list, as the log says now; null elsewhere. */
  readonly paired: Paired | null;
};

/** How many there are; `about` when counting them all would take long and the database's estimate stands in. */
export type Counted = { readonly value: number; readonly about: boolean };

export type ReceiptsView = {
  readonly items: readonly ReceiptRow[];
  readonly next: number | null;
  readonly size: number;
  /** How many the filters let through; null below the first page. */
  readonly matching: Counted | null;
};

export const receiptQuery = z.strictObject({ id: id('receipt') });

/** All that a browser needs to check one receipt by itself: leaf, path to a signed checkpoint, and the documents that say whose keys count. */
export type ReceiptDetail = {
  readonly row: ReceiptRow;
  readonly envelope: string;
  /** The leaf's exact text: what the tree hashes. */
  readonly leaf: string;
  /** The leaf before, which this one names by its hash; null for the first. */
  readonly previous_leaf: string | null;
  /** C2SP tlog-proof with the checkpoint inside; null until a checkpoint covers it, empty where receipts are missing without which none can be made. */
  readonly proof: string | null;
  /** Envelopes of all trust roots, oldest first: the viewer checks them from the fingerprint on. */
  readonly trust_roots: readonly string[];
  readonly fingerprint: string | null;
  /** Receipts of the same action, in order. */
  readonly related: readonly ReceiptRow[];
};

export const sessionQuery = z.strictObject({ id: id('session') });

export type SessionDetail = {
  readonly id: string;
  readonly human: string;
  readonly agent: string;
  readonly state: 'open' | 'closed';
  readonly opened_at: string;
  readonly entries: readonly { readonly seq: number; readonly kind: string; readonly at: string; readonly text: string; readonly untrusted: boolean; readonly labels: readonly string[] }[];
  readonly receipts: readonly ReceiptRow[];
};

/** A range of the log, one session, or one case: an action, or the request or deferral that it waited in. As a bundle, or as a report that has the bundle in it and verifies itself. */
export const exportQuery = z
  .strictObject({
    from: z.coerce.number().int().min(0).optional(),
    to: z.coerce.number().int().min(0).optional(),
    session: id('session').optional(),
    case: z.union([id('action'), id('approval'), id('deferral')], { error: 'The id of an action, a request or a deferral is needed here.' }).optional(),
    format: z.enum(['bundle', 'html']).default('bundle'),
    withhold: z.stringbool().default(false),
    withhold_sensitive: z.stringbool().default(false),
  })
  .refine(({ from, to, session, case: one }) => [from ?? to, session, one].filter((given) => given !== undefined).length < 2, { error: 'Choose a range, a session or a case.' });
export type ExportQuery = z.infer<typeof exportQuery>;
