import type { ActionState } from '@/lib/contracts/plane/actions';
import type { DecisionKind, Impact } from '@/lib/mediate/catalogue';
import type { ActionId, CredentialId, Digest, PermitId, ReceiptId, SessionId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

/** The single permit of an action, once issued. */
export type PermitRow = {
  readonly id: PermitId;
  readonly expires_at: string;
  /** The receipt whose envelope is the permit. */
  readonly receipt: ReceiptId;
  readonly epoch: bigint;
  /** Context head after the permit's own entry. */
  readonly head: Digest;
};

export type ActionRow = {
  readonly id: ActionId;
  readonly session: SessionId;
  readonly agent: string;
  readonly human: string;
  readonly credential: CredentialId;
  readonly tool: string;
  readonly operation: string;
  /** Content digests of a, and of what may run (a′ when policy changed it). */
  readonly asked: Digest;
  readonly effective: Digest;
  readonly reason: string | null;
  readonly depends_on: readonly ActionId[];
  readonly decision: DecisionKind;
  readonly state: ActionState;
  readonly code: string;
  readonly reason_shown: string;
  readonly guidance: string | null;
  readonly classification: string | null;
  readonly impact: Impact;
  /** Canonical JSON of the engine's decision; `{}` when the engine was not asked. */
  readonly body: string;
  readonly snapshot: Digest | null;
  readonly policy: { readonly revision: number; readonly digest: Digest } | null;
  readonly epoch: bigint;
  readonly context_head: Digest;
  readonly receipt: { readonly id: ReceiptId; readonly index: bigint };
  readonly proposed_at: string;
  readonly changed_at: string;
  readonly permit: PermitRow | null;
  readonly redeemed_at: string | null;
  readonly redeemed_by: CredentialId | null;
  readonly outcome_due_at: string | null;
  readonly outcome_at: string | null;
  readonly output: Digest | null;
  readonly outcome_error: string | null;
  /** The action that took its place, when an approver changed it. */
  readonly superseded_by: ActionId | null;
};

/** A change by compare-and-set: only an action whose state still is `from` takes it. */
export type ActionChange = {
  readonly id: ActionId;
  readonly from: ActionState;
  readonly at: string;
} & Partial<
  Pick<
    ActionRow,
    | 'state' | 'decision' | 'code' | 'reason_shown' | 'guidance' | 'classification' | 'impact' | 'body' | 'snapshot' | 'policy'
    | 'epoch' | 'context_head' | 'effective' | 'receipt' | 'permit' | 'redeemed_at' | 'redeemed_by' | 'outcome_due_at' | 'outcome_at'
    | 'output' | 'outcome_error' | 'superseded_by'
  >
>;

export type ActionStore = {
  readonly insert: (tx: Tx, rows: readonly ActionRow[]) => Promise<void>;
  readonly find: (ids: readonly ActionId[], tx?: Tx) => Promise<ReadonlyMap<ActionId, ActionRow>>;
  readonly findByPermit: (permit: PermitId, tx?: Tx) => Promise<ActionRow | undefined>;
  /** False when the state had moved on; the caller lost and must look again. */
  readonly change: (tx: Tx, change: ActionChange) => Promise<boolean>;
  /** Actions of a session in these states, oldest first. */
  readonly ofSession: (session: SessionId, states: readonly ActionState[], tx?: Tx) => Promise<readonly ActionRow[]>;
  /**
   * Held and deferred ones; `agent_since` counts those of the agent that were proposed at or after `since` and had to wait,
   * whatever became of them: withdrawing makes no room for more.
   */
  readonly countWaiting: (
    of: { readonly session: SessionId; readonly agent: string; readonly human: string; readonly since: string },
    tx?: Tx,
  ) => Promise<{
    readonly session: number;
    readonly agent: number;
    readonly human: number;
    readonly agent_since: number;
  }>;
  /** What people denied in a session, oldest first. */
  readonly deniedByPeople: (session: SessionId) => Promise<readonly ActionRow[]>;
  /** Those of the sessions in which something is held or deferred, or a person denied something. */
  readonly sessionsWaiting: (tx: Tx, sessions: readonly SessionId[]) => Promise<ReadonlySet<SessionId>>;
  /** Permitted ones whose permit ran out, and redeemed ones whose outcome is overdue, by the database's clock. */
  readonly overdue: (limit: number) => Promise<readonly ActionRow[]>;
  /** Sessions in which something still waits although the session has ended or a kill switch covers it. */
  readonly orphaned: (limit: number) => Promise<readonly { readonly session: SessionId; readonly cause: 'session_ended' | 'kill_switch' }[]>;
};
