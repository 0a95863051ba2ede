import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { QueueQuery } from '@/lib/contracts/console/approvals';
import type { ReceiptRow, ReceiptsQuery } from '@/lib/contracts/console/receipts';
import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { HashSource } from '@/lib/ledger/merkle/tiles';
import type { ApprovalId, PersonId, ReceiptId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';

/** Whose requests a viewer may see. The query itself holds it: a row that is not theirs never leaves the database. */
export type Sight =
  | { readonly kind: 'all' }
  /** Routed to one of the groups, or held on behalf of this address. */
  | { readonly kind: 'routed'; readonly groups: readonly string[]; readonly email: string }
  | { readonly kind: 'own'; readonly email: string };

export type QueueRow = {
  readonly id: ApprovalId;
  readonly action: string;
  readonly session: string;
  readonly agent: string;
  readonly human: string;
  readonly tool: string;
  readonly operation: string;
  readonly impact: Impact;
  readonly state: ApprovalStatus;
  readonly approvers: readonly string[];
  readonly given: number;
  readonly voted: readonly PersonId[];
  readonly held: string;
  readonly held_at: string;
  readonly expires_at: string;
  readonly resolved_at: string | null;
};

export type DecisionCounts = { readonly [Kind in DecisionKind]: number };

/** Queries that only the console's screens need; every one is bounded and names its workspace. */
export type ConsoleReads = {
  readonly now: () => Promise<string>;
  readonly queue: (sight: Sight, query: QueueQuery) => Promise<{ readonly rows: readonly QueueRow[]; readonly next: string | null }>;
  readonly queueCounts: (sight: Sight) => Promise<{ readonly waiting: number; readonly decided: number }>;
  readonly maySeeApproval: (sight: Sight, id: ApprovalId) => Promise<boolean>;
  readonly maySeeAction: (sight: Sight, id: string) => Promise<boolean>;
  readonly receipts: (query: ReceiptsQuery) => Promise<readonly ReceiptRow[]>;
  readonly receipt: (id: ReceiptId) => Promise<{ readonly row: ReceiptRow; readonly envelope: string; readonly previous: Uint8Array | null } | undefined>;
  readonly receiptsOfAction: (action: string) => Promise<readonly (ReceiptRow & { readonly envelope: string })[]>;
  readonly logSize: () => Promise<number>;
  /** The smallest checkpoint that covers a leaf, else undefined; without an index, the newest. */
  readonly checkpoint: (covering?: number) => Promise<{ readonly size: number; readonly note: string; readonly at: string } | undefined>;
  readonly hashes: HashSource;
  readonly overview: () => Promise<{
    readonly waiting: number;
    readonly next_expiry: { readonly approval: string; readonly tool: string; readonly operation: string; readonly expires_at: string } | null;
    readonly need_second: number;
    readonly oldest_held_at: string | null;
    readonly deferred: number;
    readonly per_minute: readonly { readonly at: string; readonly counts: DecisionCounts }[];
    readonly denials_24h: readonly { readonly code: string; readonly count: number }[];
    readonly agents: readonly { readonly id: string; readonly decided: number; readonly held: number; readonly denied: number }[];
    readonly receipts: number;
    readonly now: string;
  }>;
};
