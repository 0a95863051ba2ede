import type { ContentItem } from '@/lib/ledger/content';
import type { Digest } from '@/lib/shared/ids';

/**
 * What a browser needs to judge a receipt's whole action: every receipt of it, what brought roots and rosters into force, and the
 * content that these receipts name. Everything is checked there; nothing here is believed.
 */
export type ReceiptEvidence = {
  /** Exact texts of leaves, in log order: those of the action (or of the receipt alone), and of roots and rosters before its end. */
  readonly leaves: readonly string[];
  /** Envelopes of the rosters, oldest first. */
  readonly rosters: readonly string[];
  /** As stored; sensitive values inside stay sealed. */
  readonly contents: readonly ContentItem[];
  /** Named by the receipts and not stored: erased, or past their time. */
  readonly absent: readonly { readonly digest: Digest; readonly why: 'erased' }[];
  /** Exact texts of the policies that the decisions name. */
  readonly policies: readonly { readonly digest: Digest; readonly text: string }[];
  /** The action has more receipts than are sent. */
  readonly cut: boolean;
};
