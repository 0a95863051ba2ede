import type { HashSource } from '@/lib/ledger/merkle/tiles';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { ActionId, ReceiptId, SessionId } from '@/lib/shared/ids';

import type { SignedReceipt } from './ledger-store';

/** A receipt in its place. `leaf_hash` is the RFC 6962 hash of its leaf (32 bytes), which the next leaf names. */
export type LogRow = SignedReceipt & { readonly index: bigint; readonly leaf_hash: Uint8Array };

/** What the tree holds of a receipt: its canonical DSSE text, and where. */
export type StoredLeaf = Pick<LogRow, 'index' | 'envelope'>;

/** What must hold of a receipt; everything given must. Times are ISO, UTC, ms: `from` included, `to` excluded. */
export type ReceiptFilters = {
  readonly decision?: string;
  readonly tool?: string;
  readonly agent?: string;
  readonly person?: string;
  readonly session?: SessionId;
  readonly action?: ActionId;
  readonly kind?: ReceiptKind;
  readonly revision?: number;
  readonly label?: string;
  /** Id of a rule that determined the decision. */
  readonly rule?: string;
  readonly from?: string;
  readonly to?: string;
  /** Part of an id, name or operation in the columns, in any case; within the 31 days before `to`, or before now. */
  readonly text?: string;
};

/** Newest first; `next` is the `before` of the following page, null on the last. */
export type ReceiptPage = { readonly rows: readonly LogRow[]; readonly next: bigint | null };

/** How many receipts fit. Beyond the bound that was asked for it is an estimate, never below that bound. */
export type ReceiptCount = { readonly count: number; readonly exact: boolean };

export type LogHead = { readonly size: bigint; readonly root: Uint8Array; readonly epoch: bigint; readonly logged_at: string };

/** A tree head as signed: `note` is the C2SP signed note, verbatim. */
export type CheckpointRow = { readonly size: bigint; readonly note: string; readonly created_at: string };

/** Reads of the committed log. Nothing here locks; what was read once stays true, because the log only grows. */
export type LedgerReader = {
  readonly byId: (id: ReceiptId) => Promise<LogRow | undefined>;
  readonly byIndex: (index: bigint) => Promise<LogRow | undefined>;
  /** Of the indexes `from` (included) to `to` (excluded) the first `limit`, in order. Go on behind the last one's index. */
  readonly range: (from: bigint, to: bigint, limit: number) => Promise<readonly LogRow[]>;
  /** The same without the columns by which receipts are found: what anybody wrote into those stops nobody from reading the log. */
  readonly leaves: (from: bigint, to: bigint, limit: number) => Promise<readonly StoredLeaf[]>;
  readonly search: (filters: ReceiptFilters, page: { readonly before?: bigint; readonly limit: number }) => Promise<ReceiptPage>;
  /** Counts up to `upTo` (10,000 unless told) one by one and estimates what is more. */
  readonly count: (filters: ReceiptFilters, upTo?: number) => Promise<ReceiptCount>;
  readonly head: () => Promise<LogHead>;
  readonly latestCheckpoint: () => Promise<CheckpointRow | undefined>;
  /** The smallest checkpoint that covers `size` leaves: what an inclusion proof of leaf `size - 1` can lead to. */
  readonly checkpointCovering: (size: bigint) => Promise<CheckpointRow | undefined>;
  /** Newest first. */
  readonly checkpoints: (limit: number, before?: bigint) => Promise<readonly CheckpointRow[]>;
  readonly hashes: HashSource;
};
