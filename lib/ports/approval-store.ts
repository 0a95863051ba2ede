import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { Impact } from '@/lib/mediate/catalogue';
import type { ActionId, ApprovalId, DeferralId, Digest, PersonId, SessionId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

export type ApprovalRow = {
  readonly id: ApprovalId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly state: ApprovalStatus;
  readonly impact: Impact;
  readonly approvers: readonly string[];
  readonly all_groups: boolean;
  readonly quorum: number;
  readonly separation: boolean;
  /** Canonical JSON of what votes cover, its SHA-256, and canonical JSON of the HeldAction the view is drawn from. */
  readonly basis: string;
  readonly basis_digest: Digest;
  readonly held: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly resolution: string | null;
};

export type VoteRow = {
  readonly approval: ApprovalId;
  readonly person: PersonId;
  readonly verdict: 'approve' | 'deny';
  readonly reason: string | null;
  /** Canonical JSON of what was signed, and the DSSE envelope; null for a denial, which needs no key. */
  readonly statement: string | null;
  readonly envelope: string | null;
  readonly key: { readonly id: string; readonly kind: string } | null;
  readonly at: string;
};

export type DeferralRow = {
  readonly id: DeferralId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly state: 'open' | 'resolved' | 'expired' | 'withdrawn';
  /** Canonical JSON of MissingField[]. */
  readonly missing: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
};

export type ApprovalStore = {
  readonly insert: (tx: Tx, rows: readonly ApprovalRow[]) => Promise<void>;
  readonly find: (id: ApprovalId, tx?: Tx) => Promise<ApprovalRow | undefined>;
  readonly ofAction: (action: ActionId, tx?: Tx) => Promise<ApprovalRow | undefined>;
  readonly resolve: (
    tx: Tx,
    id: ApprovalId,
    to: { readonly state: Exclude<ApprovalStatus, 'pending'>; readonly at: string; readonly by: string; readonly resolution: string | null },
  ) => Promise<boolean>;
  readonly addVote: (tx: Tx, vote: VoteRow) => Promise<boolean>;
  readonly votes: (id: ApprovalId, tx?: Tx) => Promise<readonly VoteRow[]>;
  /** Pending ones past their expiry by the database's clock. */
  readonly expired: (limit: number) => Promise<readonly ApprovalRow[]>;
  /** Approved ones whose action has no permit yet: the plane issues it. */
  readonly awaitingPermit: (limit: number) => Promise<readonly ApprovalRow[]>;
  readonly insertDeferrals: (tx: Tx, rows: readonly DeferralRow[]) => Promise<void>;
  readonly deferralOf: (action: ActionId, tx?: Tx) => Promise<DeferralRow | undefined>;
  readonly openDeferrals: (session: SessionId, tx?: Tx) => Promise<readonly DeferralRow[]>;
  readonly resolveDeferral: (tx: Tx, id: DeferralId, state: 'resolved' | 'expired' | 'withdrawn', at: string) => Promise<boolean>;
  readonly expiredDeferrals: (limit: number) => Promise<readonly DeferralRow[]>;
};
