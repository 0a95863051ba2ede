import type { ChangeClass, RevisionReference } from '@/lib/authority/policy-revision';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ProofRow, ProposedRow } from '@/lib/ports/proposal-store';
import type { InForce } from '@/lib/services/in-force';
import type { Envelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import type { Result } from '@/lib/shared/result';

import type { ProposalParts } from './proposal-parts';

export type DocumentToBeSigned = { readonly payload_type: string; readonly bytes: Uint8Array };

/** A proposal that is proved, as receipts state it: rows gave nothing but the text, whose digest was compared. */
export type ProvedProposal = {
  readonly row: ProposedRow;
  readonly proposed: ReceiptPredicate<'policy_proposed'>;
  readonly proof: ReceiptPredicate<'policy_proved'> & Pick<ProofRow, 'change'>;
};

/** What enough owners have signed: one envelope a document, with the signatures of all of them, and who they are. */
export type SignedProposal = ProvedProposal & { readonly envelopes: readonly Envelope[]; readonly signers: readonly PersonId[] };

export type SelfEvident = { readonly change: ChangeClass; readonly method: string; readonly open: readonly string[]; readonly content: Json };

/** How proposals for one kind of thing are judged, signed and taken into force. */
export type ProposalTarget = {
  /** Whether these bytes could come into force at all. Failures: `policy_invalid`, `invalid_input`, with every place. */
  readonly check: (parts: ProposalParts, asked: Pick<ProposedRow, 'text' | 'format'>) => Result<unknown>;
  /** Whether it could come into force now: what was asked for in time may have run out. Left out: whenever its base is what is in force. */
  readonly stands?: (parts: ProposalParts, asked: Pick<ProposedRow, 'text'>, inForce: InForce, now: string) => Result<null>;
  /** Until when it was asked for, ISO, UTC: it ends then by itself. Left out: it waits for owners however long. */
  readonly runsOutAt?: (parts: ProposalParts, asked: Pick<ProposedRow, 'text'>) => string | null;
  /** What is known of it without any search, and is its proof from the start. Left out: it is proved by work of its own. */
  readonly provesItself?: (parts: ProposalParts, asked: Pick<ProposedRow, 'text'>) => Result<SelfEvident>;
  /** What a proposal for it would replace now; null: nothing. */
  readonly base: (inForce: InForce) => RevisionReference | null;
  readonly neededSigners: (root: TrustRoot, change: ChangeClass) => number;
  /** What each owner signs beside the proposal: the same bytes for all of them, so that their signatures come together. */
  readonly documents: (parts: ProposalParts, proved: ProvedProposal) => readonly DocumentToBeSigned[];
  /** Takes it into force and ends the proposal, in one transaction. */
  readonly apply: (parts: ProposalParts, by: Actor, signed: SignedProposal) => Promise<Result<{ readonly revision: number | null }>>;
};
