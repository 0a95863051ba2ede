import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** A receipt that is signed and waits for its place in the log. The columns beside the envelope are for finding it. */
export type SignedReceipt = {
  readonly id: ReceiptId;
  readonly kind: ReceiptKind;
  readonly at: string;
  /** Canonical DSSE text. */
  readonly envelope: string;
  readonly session?: SessionId;
  readonly action?: ActionId;
  readonly agent?: string;
  readonly person?: string;
  readonly tool?: string;
  readonly operation?: string;
  readonly decision?: string;
  readonly revision?: number;
  readonly labels?: readonly string[];
  /** The last index at which the key that signed it may sign; left out: its range has no end. Not stored. */
  readonly until?: number;
  /** Ids of the rules that determined a decision, in the receipt's order. */
  readonly rules?: readonly string[];
};

export type LedgerStore = {
  /** Appends in order under the head lock; gives each its index. Nothing is in the log until the transaction commits. */
  readonly append: (tx: Tx, receipts: readonly SignedReceipt[]) => Promise<readonly bigint[]>;
  /** Size and root after everything appended in this transaction: what a checkpoint states. */
  readonly head: (tx: Tx) => Promise<{ readonly size: bigint; readonly root: Uint8Array }>;
  /** Stores a signed checkpoint (a C2SP signed note) for a size. */
  readonly addCheckpoint: (tx: Tx, size: bigint, note: string) => Promise<void>;
};
