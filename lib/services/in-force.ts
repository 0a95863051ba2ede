import type { ChangeClass } from '@/lib/authority/policy-revision';
import type { ServedState } from '@/lib/authority/owner-statements';
import type { VerifiedRoster } from '@/lib/authority/roster';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { PolicyRow, SwitchRow } from '@/lib/ports/authority-store';
import type { SeenRecovery } from '@/lib/ports/recovery-memory';
import type { AgentRow } from '@/lib/ports/credential-store';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Digest, GrantId, PersonId, ReceiptId } from '@/lib/shared/ids';
import type { Fault, Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { LoggedGrant } from './grants/grants-in-log';
import type { ProvenHead } from './proven-place';

export type PolicyInForce = {
  readonly revision: number;
  readonly digest: Digest;
  readonly compiled: CompiledPolicy;
  readonly text: string;
  readonly format: PolicyRow['format'];
  readonly signers: readonly PersonId[];
  /** The class whose signatures it has: that of the change, as this process found it out, or `not_proved` where they suffice for every class. */
  readonly change: ChangeClass;
  readonly applied_at: string;
  /** The signatures that were verified with it, as they were stored. */
  readonly stored?: Pick<PolicyRow, 'signature' | 'statement'>;
};

/** A switch that is on. `reason` and `receipt` as the log tells of the throw; left out where only a row says so. */
export type ThrownSwitch = SwitchRow & { readonly reason?: string; readonly receipt?: ReceiptId };

/** What the log says of a suspended agent. An owner who restores it names the receipt. */
export type AgentSuspension = { readonly at: Timestamp; readonly receipt: ReceiptId };

/**
 * What this process may act on: every part of it verified here, from the pinned trust root down. `denied` says why
 * everything is denied; then at least one part is null.
 */
export type InForce = {
  readonly epoch: bigint;
  /** Receipts in the log at this look. */
  readonly size?: number;
  /** Their tree's head; of a log that is proved to go on from the pin, where nothing is denied. */
  readonly head?: ProvenHead;
  readonly denied: Extract<ErrorCode, 'policy_unsigned' | 'policy_unreadable' | 'trust_root_unpinned' | 'rollback_detected'> | null;
  readonly root: VerifiedTrustRoot | null;
  readonly roster: VerifiedRoster | null;
  readonly policy: PolicyInForce | null;
  /** What the database shows, behind the pins or not; left out when its root or roster does not verify. */
  readonly found?: ServedState;
  /** Why the newest row (of root, roster or policy) was not taken; shown on every screen. */
  readonly refusal: Fault | null;
  /** Thrown, by row or by what the log says. */
  readonly switches: readonly ThrownSwitch[];
  /** Credentials that the log says were revoked, whatever their rows say now. */
  readonly revoked: ReadonlySet<string>;
  /** Keys that the log says their people revoked: no roster lists them any more. */
  readonly revokedKeys?: ReadonlySet<string>;
  /** People whom the log says are suspended, whatever their rows say now. Left out: nobody. */
  readonly suspended?: ReadonlySet<PersonId>;
  /** The name under which the log says that each vouching credential was made. */
  readonly subjects: ReadonlyMap<string, string>;
  /** As registered; suspended where its row or the log says so. */
  readonly agents: ReadonlyMap<string, AgentRow>;
  /** Of suspended agents, as far as the log tells of it. Left out: none. */
  readonly suspensions?: ReadonlyMap<string, AgentSuspension>;
  /** Grants that owners signed and nobody revoked, by the log. */
  readonly grants?: readonly LoggedGrant[];
  /** Recoveries that were announced and that no owner has cancelled: shown on every screen. Left out: none. */
  readonly recoveries?: readonly SeenRecovery[];
  /** Roots that came into force by the recovery key, after their notice. Left out: none. */
  readonly recovered?: ReadonlySet<Digest>;
  /** Grants that the log says were revoked or replaced: their documents give nothing any more. Left out: none. */
  readonly endedGrants?: ReadonlySet<GrantId>;
  /** Requests and actions that people denied or took back, and signed proposals that were turned down, by the log. Left out: none. */
  readonly ended?: ReadonlySet<string>;
  /** Absolute folders in which this installation keeps keys and pins: no agent may reach into them. */
  readonly managed?: readonly string[];
};

export type CompilePolicy = (text: string, format: PolicyRow['format']) => Result<CompiledPolicy>;
