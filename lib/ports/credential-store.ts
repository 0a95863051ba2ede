import type { CredentialId } from '@/lib/shared/ids';

import type { Tx } from './transaction';

export const credentialKinds = ['agent', 'orchestrator', 'enforcement_point', 'information_point'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

export type CredentialRow = {
  readonly id: CredentialId;
  readonly kind: CredentialKind;
  /** The agent's id, or the credential's own name. */
  readonly subject: string;
  /** SHA-256 of the token, hex. */
  readonly token_digest: string;
  /** Extra scopes, such as `explain`. */
  readonly scopes: readonly string[];
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly revoked_at: string | null;
};

export type AgentRow = {
  readonly id: string;
  readonly role: string;
  readonly scope: readonly string[];
  readonly registered_by: string;
  readonly suspended_at: string | null;
  readonly created_at: string;
};

export type CredentialStore = {
  readonly add: (tx: Tx, row: CredentialRow) => Promise<void>;
  readonly findByToken: (tokenDigest: string) => Promise<CredentialRow | undefined>;
  readonly find: (ids: readonly CredentialId[], tx?: Tx) => Promise<ReadonlyMap<CredentialId, CredentialRow>>;
  readonly revoke: (tx: Tx, id: CredentialId, at: string) => Promise<boolean>;
  readonly list: () => Promise<readonly CredentialRow[]>;
  readonly addAgent: (tx: Tx, row: AgentRow) => Promise<void>;
  readonly agents: (ids?: readonly string[], tx?: Tx) => Promise<ReadonlyMap<string, AgentRow>>;
  readonly suspendAgent: (tx: Tx, id: string, at: string | null) => Promise<boolean>;
  /** The subject that a key of this credential made before, if any; else remembers this one. Another body: conflict. */
  readonly idempotent: (
    tx: Tx,
    entry: { readonly credential: CredentialId; readonly key: string; readonly body_digest: string; readonly subject: string },
  ) => Promise<{ readonly subject: string; readonly body_digest: string } | undefined>;
  readonly findIdempotent: (credential: CredentialId, key: string) => Promise<{ readonly subject: string; readonly body_digest: string } | undefined>;
};
