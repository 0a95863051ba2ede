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
  /** Where the basis was last found to be the stored one: the epoch, and the head of the session's context. */
  readonly looked_epoch: bigint;
  readonly looked_head: Digest;
  /** From when on backup groups are asked as well; null once they are, and where policy names none. */
  readonly escalates_at: string | null;
  /** Canonical JSON of the edit that was signed for it. Nobody approves it any more; the plane decides the edited action, which takes its place. */
  readonly edit: string | null;
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
  /** Actions that still have to end before this one is decided again. It only ever gets shorter, or names what an edit made of one of them, so nothing waits in a circle. */
  readonly waits_for: readonly ActionId[];
  /** 1, or one more than the deepest action that it waited for when it was deferred. */
  readonly depth: number;
  /** When information points are asked next; null: nobody is to be asked. */
  readonly ask_at: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
  /** Canonical JSON of the question that somebody asked back, when that is why it waits. */
  readonly question: string | null;
};

/** What an open deferral still waits for, once it was decided again. */
export type NarrowedDeferral = Pick<DeferralRow, 'id' | 'missing' | 'waits_for'> & {
  /** Somebody can be asked for what is missing: at once, unless it is being asked or is to be asked already. */
  readonly ask: boolean;
};

export type ApprovalStore = {
  readonly insert: (tx: Tx, rows: readonly ApprovalRow[]) => Promise<void>;
  readonly find: (id: ApprovalId, tx?: Tx) => Promise<ApprovalRow | undefined>;
  readonly findAll: (ids: readonly ApprovalId[], tx?: Tx) => Promise<ReadonlyMap<ApprovalId, ApprovalRow>>;
  readonly ofAction: (action: ActionId, tx?: Tx) => Promise<ApprovalRow | undefined>;
  readonly resolve: (
    tx: Tx,
    id: ApprovalId,
    to: { readonly state: Exclude<ApprovalStatus, 'pending'>; readonly at: string; readonly by: string; readonly resolution: string | null },
  ) => Promise<boolean>;
  /**
   * Moves the end of an open request, and by as much, within the day that each action has, those of the deferral that it ends with and of
   * those behind it, one behind another; false when it had another end, or is over.
   */
  readonly extend: (tx: Tx, id: ApprovalId, end: { readonly from: string; readonly to: string }) => Promise<boolean>;
  /** Asks these groups from now on, and nobody else later; false when it asked others than `from`, or is over. */
  readonly escalate: (tx: Tx, id: ApprovalId, groups: { readonly from: readonly string[]; readonly to: readonly string[] }, at: string) => Promise<boolean>;
  /** An approver signed other parameters: of a pending one that nobody has edited yet. */
  readonly addEdit: (tx: Tx, id: ApprovalId, edit: string) => Promise<boolean>;
  readonly addVote: (tx: Tx, vote: VoteRow) => Promise<boolean>;
  readonly votes: (id: ApprovalId, tx?: Tx) => Promise<readonly VoteRow[]>;
  /** Pending ones past their expiry by the database's clock. */
  readonly expired: (limit: number) => Promise<readonly ApprovalRow[]>;
  /** Pending ones that others are to be asked about by the database's clock, and that have time left. */
  readonly toEscalate: (limit: number) => Promise<readonly ApprovalRow[]>;
  /** Pending ones of held actions whose basis may have moved: decided before this epoch, or their session has gone on; edited ones first. */
  readonly toLookAt: (epoch: bigint, limit: number) => Promise<readonly ApprovalRow[]>;
  /** The basis was found to be the stored one at this epoch and head; nothing when the request has ended meanwhile. */
  readonly lookedAt: (id: ApprovalId, epoch: bigint, head: Digest) => Promise<void>;
  /** How many requests there were about an action. */
  readonly countOf: (action: ActionId) => Promise<number>;
  /** Approved ones whose action has no permit yet: the plane issues it. */
  readonly awaitingPermit: (limit: number) => Promise<readonly ApprovalRow[]>;
  readonly insertDeferrals: (tx: Tx, rows: readonly DeferralRow[]) => Promise<void>;
  readonly deferralOf: (action: ActionId, tx?: Tx) => Promise<DeferralRow | undefined>;
  /** The action of a request or a deferral, whatever became of it. */
  readonly actionOf: (id: ApprovalId | DeferralId) => Promise<ActionId | undefined>;
  readonly openDeferrals: (session: SessionId, tx?: Tx) => Promise<readonly DeferralRow[]>;
  readonly resolveDeferral: (tx: Tx, id: DeferralId, state: 'resolved' | 'expired' | 'withdrawn', at: string) => Promise<boolean>;
  /** False when it is not open any more. */
  readonly narrowDeferral: (tx: Tx, to: NarrowedDeferral) => Promise<boolean>;
  /** Open ones past their end by the database's clock whose action waits for it: not those that wait for a person. */
  readonly expiredDeferrals: (limit: number) => Promise<readonly DeferralRow[]>;
  /** Open ones that something changed for: an action that they wait for ended, or they were decided before this epoch. */
  readonly releasableDeferrals: (epoch: bigint, limit: number) => Promise<readonly DeferralRow[]>;
  /** Actions that open deferrals wait for. */
  readonly awaitedActions: (limit: number) => Promise<ReadonlySet<ActionId>>;
  /** The deferrals of these actions that are open. */
  readonly deferralsOf: (actions: readonly ActionId[], tx?: Tx) => Promise<readonly DeferralRow[]>;
  /** Those by which somebody asked back about an action, oldest first, whatever became of them. */
  readonly questionsOf: (action: ActionId, tx?: Tx) => Promise<readonly DeferralRow[]>;
};
