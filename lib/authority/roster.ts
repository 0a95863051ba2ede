import type { CredentialId, Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { Role } from './roles';

export const rosterSchema = 'countersign/roster/v1';
export const rosterPayloadType = 'application/vnd.countersign.roster';

/** Who is who, signed by owners (threshold `loosening`): a row in the database gives nobody a key, role, group or credential. */
export type Roster = {
  readonly schema: typeof rosterSchema;
  readonly workspace: WorkspaceId;
  /** From 1, rising by one. */
  readonly version: number;
  readonly previous: Digest | null;
  /** The trust root's version when it was signed. */
  readonly root_version: number;
  readonly people: readonly RosterPerson[];
  readonly credentials: readonly VouchingCredential[];
  readonly created_at: Timestamp;
};

export type RosterPerson = {
  readonly id: PersonId;
  /** In the one spelling of `normalEmail`. */
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  readonly keys: readonly PublicKeyEntry[];
  readonly suspended?: boolean;
};

export const vouchingKinds = ['orchestrator', 'enforcement_point', 'information_point'] as const;
export type VouchingKind = (typeof vouchingKinds)[number];

/** A credential whose word is believed: for humans (orchestrator), outcomes of agents (enforcement point), attributes. */
export type VouchingCredential = {
  readonly id: CredentialId;
  readonly kind: VouchingKind;
  /** SHA-256 of the token; the token itself is shown once and stored nowhere. */
  readonly token_digest: Digest;
  readonly scope: CredentialScope;
  readonly expires_at: Timestamp;
};

/** A list that is left out gives nothing; `*` as its only item gives all. */
export type CredentialScope = {
  readonly humans?: readonly string[];
  readonly agents?: readonly string[];
  readonly attributes?: readonly string[];
};

export type VerifiedRoster = { readonly roster: Roster; readonly digest: Digest };
