import type { Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { Impact } from '@/lib/shared/impact';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

export const trustRootSchema = 'countersign/trust-root/v1';
export const trustRootPayloadType = 'application/vnd.countersign.trust-root';

/** What a key may be asked to sign: votes by impact, policies and rosters (`policy`), the next root (`root`). */
export type KeyPurpose = Impact | 'policy' | 'root';

/**
 * The document that everything which loosens leads to. Its first version is known by fingerprint (SHA-256 of its
 * canonical bytes); each later one is signed by what the version before accepts.
 */
export type TrustRoot = {
  readonly schema: typeof trustRootSchema;
  readonly workspace: WorkspaceId;
  /** From 1, rising by one. */
  readonly version: number;
  /** Digest of the version before; null in the first. */
  readonly previous: Digest | null;
  readonly owners: readonly OwnerKey[];
  /** How many different owners (people, not keys) must sign. `recovery` counts recovery keys, of which there is one. */
  readonly thresholds: { readonly policy: number; readonly loosening: number; readonly root: number; readonly recovery: 1 };
  readonly key_kinds: KeyKindRules;
  readonly services: readonly ServiceKey[];
  readonly recovery: { readonly key: PublicKeyEntry };
  /** Seconds between the last needed signature on a loosening change and its taking effect. */
  readonly cool_off_seconds: number;
  readonly created_at: Timestamp;
};

export type OwnerKey = { readonly person: PersonId; readonly key: PublicKeyEntry };

export type KeyKindRules = { readonly [Purpose in KeyPurpose]: readonly KeyKind[] };

export const serviceRoles = ['console', 'plane'] as const;
export type ServiceRole = (typeof serviceRoles)[number];

/** A process's receipt key, valid for log positions `from` up to and including `to` (left out: still valid). */
export type ServiceKey = { readonly key: PublicKeyEntry; readonly role: ServiceRole; readonly from: number; readonly to?: number };

/** A root whose chain of signatures was checked from the fingerprint on. */
export type VerifiedTrustRoot = {
  readonly root: TrustRoot;
  readonly digest: Digest;
  readonly fingerprint: Digest;
  /** Every root of the chain with the log position at which it came into force, rising; left out where there is one root only, or no log. */
  readonly history?: readonly { readonly index: number; readonly root: TrustRoot }[];
};
