import type { ActionView, BatchBody, BatchView, OutcomeBody, OutcomeView, ProposeActionBody, RedeemView } from '@/lib/contracts/plane/actions';
import type { CheckpointView, ConsistencyView, InclusionView } from '@/lib/contracts/plane/log';
import type { ContextBody, ContextView, MessageBody, OpenSessionBody, SessionView } from '@/lib/contracts/plane/sessions';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { ActionId, PermitId, SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import type { Result } from '@/lib/shared/result';

import type { Authenticate } from './authenticate';
import type { Caller } from './caller';
import type { CheckpointHealth } from './checkpoint-health';
import type { ProposesChanges } from './proposals/propose-change';

/** An idempotency key with the digest of the body that it came with. */
export type Idempotency = { readonly key: string; readonly body_digest: string };

/** What the plane's listener may ask for. Each is one use case; what nobody may know of is `not_found`. */
export type PlaneServices = {
  readonly authenticate: Authenticate;
  readonly openSession: (caller: Caller, body: OpenSessionBody, idempotency: Idempotency | null) => Promise<Result<SessionView>>;
  readonly recordMessage: (caller: Caller, session: SessionId, body: MessageBody) => Promise<Result<SessionView>>;
  readonly supplyContext: (caller: Caller, session: SessionId, body: ContextBody) => Promise<Result<ContextView>>;
  readonly closeSession: (caller: Caller, session: SessionId) => Promise<Result<SessionView>>;
  readonly proposeAction: (caller: Caller, body: ProposeActionBody, idempotency: Idempotency | null) => Promise<Result<ActionView>>;
  readonly proposeBatch: (caller: Caller, body: BatchBody) => Promise<Result<BatchView>>;
  readonly readAction: (caller: Caller, id: ActionId) => Promise<Result<ActionView>>;
  /** As `readAction`, but while the action is held or deferred waits up to `seconds` for its first change. */
  readonly waitForAction: (caller: Caller, id: ActionId, seconds: number, signal: AbortSignal) => Promise<Result<ActionView>>;
  readonly withdrawAction: (caller: Caller, id: ActionId) => Promise<Result<ActionView>>;
  readonly redeemPermit: (caller: Caller, permit: PermitId) => Promise<Result<RedeemView>>;
  readonly reportOutcome: (caller: Caller, action: ActionId, body: OutcomeBody) => Promise<Result<OutcomeView>>;
  /** Nobody edits policy, grants or settings with a credential of the plane: refused, with a receipt; what an agent wanted is proposed. */
  readonly refuseEdit: (caller: Caller, method: string, path: string, body: string | undefined) => Promise<Result<never>>;
  readonly proposals: Omit<ProposesChanges, 'file'>;
  /** Counts a refused call; true: this credential is over its bound and gets `rate_limited`. */
  readonly noteRefusal: (caller: Caller, code: ErrorCode) => boolean;
  readonly readReceipt: (caller: Caller, id: string) => Promise<Result<Json>>;
  readonly latestCheckpoint: () => Promise<Result<CheckpointView>>;
  readonly proveReceipt: (caller: Caller, id: string) => Promise<Result<InclusionView>>;
  /** See `proveGrowth`. */
  readonly proveGrowth: (from: number, to?: number) => Promise<Result<ConsistencyView>>;
  readonly health: () => Promise<Result<{ readonly status: 'ok' }>>;
  readonly metrics: () => Promise<Result<string>>;
  /** Ready: the database answers and a policy is in force, or why not. Checkpoints that lag or do not arrive are said, and stop nothing. */
  readonly readiness: () => Promise<Result<{
    readonly status: 'ready' | 'denying_all';
    readonly code?: string;
    /** What is in force; null while everything is denied for want of one. */
    readonly policy: { readonly revision: number; readonly digest: string } | null;
    /** Why the newest revision, roster or root was not taken: the last good one goes on, or everything is denied. */
    readonly refused?: string;
    /** Kill switches that are on. */
    readonly switches: number;
    readonly checkpoints: CheckpointHealth | null;
  }>>;
};
