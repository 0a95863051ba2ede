import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { ReceiptKind } from '@/lib/ledger/receipt-predicate';
import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { ActionId, ApprovalId, DeferralId, PersonId, SessionId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';

/** Whose requests a viewer may see. The query itself holds it: a row that is not theirs never leaves the database. */
export type Sight =
  | { readonly kind: 'all' }
  /** Routed to one of the groups, or held on behalf of this address. */
  | { readonly kind: 'routed'; readonly groups: readonly string[]; readonly email: string }
  | { readonly kind: 'own'; readonly email: string };

export type QueueFilters = {
  readonly state: 'waiting' | 'decided' | 'all';
  readonly sort: 'time_left' | 'oldest' | 'newest';
  readonly impact?: Impact | undefined;
  readonly agent?: string | undefined;
  readonly tool?: string | undefined;
  /** Part of tool, operation, agent or human, in any case. */
  readonly text?: string | undefined;
};

export type QueueRow = {
  readonly id: ApprovalId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly agent: string;
  readonly human: string;
  readonly tool: string;
  readonly operation: string;
  readonly impact: Impact;
  readonly state: ApprovalStatus;
  readonly approvers: readonly string[];
  readonly quorum: number;
  /** People who approved, and all who voted. */
  readonly given: number;
  readonly voted: readonly PersonId[];
  /** Canonical JSON of the HeldAction. */
  readonly held: string;
  readonly held_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
};

export type DeferralQueueRow = {
  readonly id: DeferralId;
  readonly action: ActionId;
  readonly session: SessionId;
  readonly agent: string;
  readonly human: string;
  readonly tool: string;
  readonly operation: string;
  readonly impact: Impact;
  /** Canonical JSON: MissingField[], and the engine's decision. */
  readonly missing: string;
  readonly decision: string;
  readonly waits_for: readonly ActionId[];
  /** Canonical JSON of what somebody asked back, when that is why it waits. */
  readonly question: string | null;
  /** The pending request to the people who decide between rules that conflict. */
  readonly approval: ApprovalId | null;
  readonly deferred_at: string;
  readonly expires_at: string;
};

/** Where a page ends: the sort column's time and the id. */
export type QueueCursor = { readonly at: string; readonly id: string };

export type DecisionCounts = { readonly [Kind in DecisionKind]: number };

export type AgentCounts = { readonly id: string; readonly decided: number; readonly held: number; readonly denied: number };

/** `envelope` only of an `approval_resolved`: how a request ended stands inside. */
export type ActionReceipt = { readonly action: ActionId; readonly kind: ReceiptKind; readonly decision: string | null; readonly envelope: string | null };

/** `about`: not counted one by one, but the database's estimate. */
export type Counted = { readonly value: number; readonly about: boolean };

/** Queries that only the console's screens need; every one is bounded and names its workspace. */
export type ConsoleReads = {
  /** The database's clock. */
  readonly now: () => Promise<string>;
  readonly workspaceName: () => Promise<string>;
  /** In log order. */
  readonly receiptsOfActions: (actions: readonly ActionId[]) => Promise<readonly ActionReceipt[]>;
  readonly queue: (
    sight: Sight,
    filters: QueueFilters,
    page: { readonly limit: number; readonly after?: QueueCursor },
  ) => Promise<{ readonly rows: readonly QueueRow[]; readonly next: QueueCursor | null }>;
  readonly queueCounts: (sight: Sight) => Promise<{ readonly waiting: number; readonly decided: number }>;
  readonly maySeeApproval: (sight: Sight, id: ApprovalId) => Promise<boolean>;
  readonly maySeeAction: (sight: Sight, id: ActionId) => Promise<boolean>;
  /** Open ones, soonest end first; `own` and `routed` see those held on behalf of the address. */
  /** Open ones; to whoever approves also those that they could supply a fact of, or that are before them to decide. */
  readonly deferrals: (sight: Sight, limit: number) => Promise<readonly DeferralQueueRow[]>;
  /** The action of an open deferral that may be seen; null: there is none, or it may not. */
  readonly deferredAction: (sight: Sight, id: DeferralId) => Promise<ActionId | null>;
  /** What waits now. */
  readonly waiting: () => Promise<{
    readonly approvals: number;
    readonly next: { readonly approval: ApprovalId; readonly tool: string; readonly operation: string; readonly expires_at: string } | null;
    /** Have a signature and need another. */
    readonly need_second: number;
    readonly oldest_held_at: string | null;
    readonly deferred: number;
  }>;
  /** Decisions of the last `minutes`, one entry a minute, oldest first, quiet minutes included. */
  readonly decisionsPerMinute: (minutes: number) => Promise<readonly { readonly at: string; readonly counts: DecisionCounts }[]>;
  readonly denialsByCode: (hours: number) => Promise<readonly { readonly code: string; readonly count: number }[]>;
  readonly agentCounts: (hours: number) => Promise<readonly AgentCounts[]>;
};
