import type { ChangeClass } from '@/lib/authority/policy-revision';
import type { ProposalState } from '@/lib/authority/proposal';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { Digest, PersonId, ProposalId, ReceiptId, SessionId } from '@/lib/shared/ids';

import type { PolicyRow } from './authority-store';
import type { Tx } from './transaction';

type Proposed = ReceiptPredicate<'policy_proposed'>;

/** What was proposed. It never changes; the receipt `proposed_receipt` states the same. */
export type ProposedRow = {
  readonly id: ProposalId;
  readonly target: Proposed['target'];
  readonly origin: Proposed['origin'];
  readonly maker_kind: Actor['kind'];
  readonly maker_id: string;
  readonly session: SessionId | null;
  /** Null where there was nothing. */
  readonly base_revision: number | null;
  readonly base_digest: Digest | null;
  /** SHA-256 of the exact bytes of `text`. */
  readonly digest: Digest;
  readonly text: string;
  readonly format: PolicyRow['format'];
  readonly text_digest: Digest;
  /** The requester's own words, which nobody vouches for. */
  readonly reason: string | null;
  readonly rebased_from: ProposalId | null;
  readonly proposed_at: string;
  readonly proposed_receipt: ReceiptId;
};

/** What was found out about it; what counts is the receipt `proved_receipt`. */
export type ProofRow = {
  readonly change: ChangeClass;
  readonly proof_digest: Digest;
  readonly applicable: boolean;
  readonly proved_at: string;
  readonly proved_receipt: ReceiptId;
};

/** How it ended. `revision`: which it became. */
export type EndRow = {
  readonly ended_at: string;
  readonly ended_by: string;
  readonly ended_reason: string | null;
  readonly ended_receipt: ReceiptId;
  readonly revision: number | null;
  readonly replaced_by: ProposalId | null;
};

export type ProposalRow = ProposedRow & { readonly state: ProposalState; readonly proof: ProofRow | null; readonly end: EndRow | null };

/** An owner's signature. `envelope` covers the chain of steps, `documents` what takes effect: envelopes in the order of the target's documents. */
export type ProposalSignatureRow = {
  readonly proposal: ProposalId;
  readonly person: PersonId;
  readonly envelope: string;
  readonly documents: readonly string[];
  readonly proof_digest: Digest;
  readonly signed_at: string;
  readonly receipt: ReceiptId;
};

/** A row of a list: everything but the text. */
export type ListedProposal = Omit<ProposalRow, 'text'>;

export type ProposalStore = {
  readonly add: (tx: Tx, row: ProposedRow) => Promise<void>;
  readonly find: (id: ProposalId, tx?: Tx) => Promise<ProposalRow | undefined>;
  /** Newest first: all that are open or signed, or the newest `limit` of those that have ended. */
  readonly list: (which: 'live' | 'ended', limit: number, tx?: Tx) => Promise<readonly ListedProposal[]>;
  /** How many are open or signed, of everybody and of this maker, and how many this maker has made since. */
  readonly count: (maker: string, since: string, tx?: Tx) => Promise<{ readonly live: number; readonly live_of_maker: number; readonly made_since: number }>;
  /** Compare-and-set: false when it is not open any more, or no longer has the proof `from` (null: none). */
  readonly prove: (tx: Tx, id: ProposalId, from: Digest | null, proof: ProofRow) => Promise<boolean>;
  /** Compare-and-set: false when the state had moved on. */
  readonly move: (tx: Tx, id: ProposalId, from: ProposalState, to: ProposalState, end?: EndRow) => Promise<boolean>;
  /** One signature a person; a second one throws. */
  readonly sign: (tx: Tx, row: ProposalSignatureRow) => Promise<void>;
  /** In the order in which they were made. */
  readonly signatures: (ids: readonly ProposalId[], tx?: Tx) => Promise<readonly ProposalSignatureRow[]>;
};
