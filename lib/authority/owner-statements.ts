import { asJson } from '@/lib/shared/as-json';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import type { Digest, GrantId, PersonId, ProposalId, ReceiptId, WorkspaceId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { ChangeClass, RevisionReference } from './policy-revision';

/** What people sign beside trust roots, rosters and policies. Each has a payload type of its own, so that none passes for another. */
export const statementTypes = {
  grant: 'application/vnd.countersign.grant',
  switch_release: 'application/vnd.countersign.switch-release',
  agent_restoration: 'application/vnd.countersign.agent-restoration',
  proposal: 'application/vnd.countersign.proposal',
  proposal_signature: 'application/vnd.countersign.proposal-signature',
  rollback_acceptance: 'application/vnd.countersign.rollback-acceptance',
  guard_application: 'application/vnd.countersign.guard-application',
} as const;
export type StatementType = keyof typeof statementTypes;

/** Owners give an agent a tool: these operations (null: all), within this scope, so many times, until then. */
export type GrantStatement = {
  readonly grant: GrantId;
  readonly agent: string;
  readonly tool: string;
  readonly operation: string | null;
  readonly scope: Json;
  readonly uses: number;
  readonly expires_at: Timestamp;
  /** Why, in the owner's words. */
  readonly reason?: string;
  /** A wider one that this one narrows, and that ends when this one is issued. */
  readonly replaces?: GrantId;
};

/** An owner releases the switch that the receipt `thrown` threw, and no later one. `target` is null for the switch over everything. */
export type SwitchRelease = { readonly scope: 'all' | 'agent' | 'tool'; readonly target: string | null; readonly thrown: ReceiptId };

/** An owner lets the agent back in that the receipt `suspended` suspended, and ends no later suspension. */
export type AgentRestoration = { readonly agent: string; readonly suspended: ReceiptId };

/** A person proposes that these bytes replace the base. */
export type ProposalStatement = {
  readonly proposal: ProposalId;
  readonly target: 'policy' | 'grant' | 'allowlist';
  readonly base: RevisionReference | null;
  readonly digest: Digest;
  readonly proposer: PersonId;
};

/** Owners sign proposals in this order: each step's base is what the one before it leaves. */
export type ProposalSignature = { readonly steps: readonly ProposalStep[] };

export type ProposalStep = {
  readonly proposal: ProposalId;
  readonly base_digest: Digest | null;
  readonly digest: Digest;
  readonly class: ChangeClass;
  readonly proof_digest: Digest;
};

/** What a process had served, or found after a restore. */
export type ServedState = {
  readonly root_version: number;
  readonly roster_version: number;
  readonly policy: RevisionReference | null;
  readonly log: { readonly size: number; readonly root: Digest };
};

/** An owner accepts, after a restore, a database that is behind what was served. */
export type RollbackAcceptance = { readonly served: ServedState; readonly found: ServedState; readonly reason: string };

/**
 * Owners allow one permission more in a guard directory. `guard_proposal` is the SHA-256 of the proposal's file, `base` the allowlist that it was
 * written on: the signature is good for that file on that allowlist in that directory, and for nothing that comes after.
 */
export type GuardApplication = {
  readonly proposal: ProposalId;
  readonly directory: string;
  readonly guard_proposal: Digest;
  readonly base: RevisionReference;
  readonly permission: string;
  readonly proof_digest: Digest;
};

export type StatementOf<T extends StatementType> = {
  readonly grant: GrantStatement;
  readonly switch_release: SwitchRelease;
  readonly agent_restoration: AgentRestoration;
  readonly proposal: ProposalStatement;
  readonly proposal_signature: ProposalSignature;
  readonly rollback_acceptance: RollbackAcceptance;
  readonly guard_application: GuardApplication;
}[T];

/** The exact bytes that are signed (inside the DSSE pre-authentication encoding). `at` is the signer's clock. */
export const statementPayload = <T extends StatementType>(type: T, workspace: WorkspaceId, statement: StatementOf<T>, at: Timestamp): Uint8Array => {
  const document = { ...statement, schema: `countersign/${type.replaceAll('_', '-')}/v1`, workspace, signed_at: at };
  return canonicalBytes(asJson(document));
};

export const signStatement = <T extends StatementType>(
  type: T,
  workspace: WorkspaceId,
  statement: StatementOf<T>,
  at: Timestamp,
  signers: readonly Signer[],
): Promise<Envelope> => signEnvelope(statementTypes[type], statementPayload(type, workspace, statement, at), signers);
