import type { ChainedEntry } from '@/lib/context/entry';
import type { ActionState } from '@/lib/contracts/plane/actions';
import type { ActionChange, ActionRow } from '@/lib/ports/action-store';
import type { ApprovalRow, DeferralRow, NarrowedDeferral } from '@/lib/ports/approval-store';
import type { ContentItem } from '@/lib/ports/content-store';
import type { DomainEvent } from '@/lib/ports/event-bus';
import type { GrantUse } from '@/lib/ports/grant-store';
import type { SignedReceipt } from '@/lib/ports/ledger-store';
import type { HeadMove } from '@/lib/ports/session-store';
import type { ActionId, ApprovalId, CredentialId, DeferralId, Digest, SessionId } from '@/lib/shared/ids';

import type { WaitingBounds } from './waiting-bounds';

/** A row whose `receipt.index` is not known yet: it is that of the draft's first receipt, once appended. */
export type UnplacedAction = Omit<ActionRow, 'receipt'>;
export type UnplacedChange = Omit<ActionChange, 'receipt'> & { readonly placed?: boolean };

/**
 * A prepared state change: what it rests on, and everything it writes. It is signed already; it commits only while what
 * it rests on still holds under the head lock, and then all of it commits, receipts and events included.
 */
export type Draft = {
  /** The epoch it was decided under; null for what tightens and so holds under any. */
  readonly epoch: bigint | null;
  /** The session whose chain must still end here, and still be open (unless `orClosed`). `calm`: nothing of it may be held or deferred, nor have been denied by a person. */
  readonly session: { readonly id: SessionId; readonly head: Digest; readonly orClosed?: boolean; readonly calm?: boolean } | null;
  /** An action that must still be in this state; `permitAlive` also asks that its permit has not run out by the database's clock. */
  readonly action: { readonly id: ActionId; readonly state: ActionState; readonly permitAlive?: boolean } | null;
  /** An approval that must still be pending. */
  readonly pending?: ApprovalId;
  /** A deferral that must still be open and not past its end by the database's clock. */
  readonly openDeferral?: DeferralId;
  /** What may wait at once: counted again under the lock. */
  readonly bounds?: WaitingBounds;
  /** A grant of which this is one use: counted by compare-and-set, while it has not run out by the database's clock. */
  readonly grant?: GrantUse;
  readonly receipts: readonly SignedReceipt[];
  readonly contents?: readonly ContentItem[];
  readonly insert?: UnplacedAction;
  readonly change?: UnplacedChange;
  readonly entry?: ChainedEntry & { readonly session: SessionId };
  readonly move?: HeadMove;
  readonly approval?: ApprovalRow;
  readonly resolveApproval?: {
    readonly id: ApprovalId;
    readonly state: 'expired' | 'withdrawn' | 'stale' | 'superseded' | 'denied';
    readonly at: string;
    readonly by: string;
    readonly resolution: string | null;
  };
  /** Groups that are asked as well from `due` on; the time, and those before, are compared under the lock. */
  readonly escalate?: { readonly id: ApprovalId; readonly due: string; readonly from: readonly string[]; readonly to: readonly string[]; readonly at: string };
  readonly deferral?: DeferralRow;
  readonly narrowDeferral?: NarrowedDeferral;
  readonly resolveDeferral?: { readonly id: DeferralId; readonly state: 'resolved' | 'expired' | 'withdrawn'; readonly at: string };
  readonly idempotency?: { readonly credential: CredentialId; readonly key: string; readonly body_digest: string; readonly subject: string };
  readonly events: readonly DomainEvent[];
};

/** Why a draft did not commit: what it rests on has moved. Whoever made it looks again. */
export type Staleness =
  | 'epoch' | 'session' | 'session_closed' | 'action' | 'approval' | 'permit_expired' | 'idempotency' | 'waiting' | 'deferral' | 'bounds' | 'grant';

export type CommitOutcome =
  | { readonly state: 'committed'; readonly indexes: readonly bigint[]; readonly now: string }
  | { readonly state: 'stale'; readonly why: Staleness };
