import { z } from 'zod';

import type { TrustRoot } from '@/lib/authority/trust-root';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import { bounds } from '@/lib/shared/bounds';
import { countField, digestField, idField, keyIdField, timestampField } from '@/lib/shared/document-fields';
import type { Digest, PersonId } from '@/lib/shared/ids';
import { keyKinds } from '@/lib/shared/keys';

import { envelope, publicKey } from './fields';
import type { DocumentToSign } from './set-up';

const owners = z.array(z.strictObject({ person: idField('person'), key: publicKey })).min(1).max(50);
const kinds = z.array(z.enum(keyKinds)).max(keyKinds.length);
const needed = countField(1).refine((count) => count <= 50, { error: 'There are never more than 50 owners.' });

const service = z.discriminatedUnion('does', [
  z.strictObject({ does: z.literal('rotate'), retired: keyIdField, successor: publicKey, from: countField(0), until: countField(0) }),
  z.strictObject({ does: z.literal('revoke'), key: keyIdField, last_good: countField(0).nullable() }),
]);

/** The server computes the next root from this and from nothing else, owners sign exactly that text, and it is computed again before it counts. */
export const trustRootChange: z.ZodType<TrustRootChange> = z
  .strictObject({
    owners: owners.optional(),
    thresholds: z.strictObject({ policy: needed, loosening: needed, root: needed }).optional(),
    key_kinds: z.strictObject({ low: kinds, medium: kinds, high: kinds, critical: kinds, policy: kinds, root: kinds }).optional(),
    cool_off_seconds: countField(0).optional(),
    recovery_key: publicKey.optional(),
    service: service.optional(),
  })
  .transform((change) => withoutGaps(change));

export const prepareTrustChangeInput = z.strictObject({ change: trustRootChange });
export type PrepareTrustChangeInput = { readonly change: TrustRootChange };

/** A document that is signed with a change of the root, who has to sign it, and who has. */
export type DocumentOfChange = {
  readonly document: DocumentToSign;
  /** How many different owners, and which of them may. */
  readonly needed: number;
  readonly may_sign: readonly { readonly person: string; readonly name: string; readonly keys: readonly string[] }[];
  readonly signed: readonly { readonly person: string; readonly name: string }[];
};

/** What comes into force together. Roster and policy only where their signatures would no longer do under the next root. */
export type PreparedTrustChange = {
  readonly change: TrustRootChange;
  readonly at: string;
  readonly digest: string;
  readonly version: number;
  /** The exact text of the root in force, to be compared with the one that gets signed. */
  readonly before: string;
  readonly trust_root: DocumentOfChange;
  readonly roster: DocumentOfChange | null;
  readonly policy: DocumentOfChange | null;
  readonly policy_revision: DocumentOfChange | null;
};

const afterRoot = {
  roster: envelope(8 * 1024 * 1024).optional(),
  policy: envelope(2 * bounds.policyBytes).optional(),
  policy_revision: envelope(16 * 1024).optional(),
};

export const signTrustChangeInput = z.strictObject({
  change: trustRootChange,
  /** `created_at` of the next root, as prepared: the same time gives the same documents. */
  at: timestampField,
  trust_root: envelope(128 * 1024).optional(),
  ...afterRoot,
});
export type SignTrustChangeInput = z.output<typeof signTrustChangeInput>;

export type TrustChangeOutcome =
  | { readonly state: 'waiting'; readonly digest: string; readonly version: number; readonly lacks: readonly string[] }
  | { readonly state: 'in_force'; readonly digest: string; readonly version: number };

export const withdrawCeremonyInput = z.strictObject({ digest: digestField });

export const cancelRecoveryInput = z.strictObject({ digest: digestField });

/** `at`: `created_at` of the next root, as prepared. `envelope`: that root, signed by the recovery key. */
export const announceRecoveryInput = z.strictObject({ owners, at: timestampField, envelope: envelope(128 * 1024) });
export type AnnounceRecoveryInput = z.output<typeof announceRecoveryInput>;
export type RecoveryAnnounced = { readonly digest: Digest; readonly version: number };

/** A new owner's signatures on what comes into force with the root that the recovery key has signed. */
export const completeRecoveryInput = z.strictObject({ digest: digestField, ...afterRoot });
export type CompleteRecoveryInput = z.output<typeof completeRecoveryInput>;

/** An announced recovery: what its new owners have to sign, and from when they may. */
export type PendingRecovery = Pick<PreparedTrustChange, 'digest' | 'version' | 'before' | 'roster' | 'policy' | 'policy_revision'> & {
  /** The exact text of the root that the recovery key has signed. */
  readonly text: string;
  readonly by: string;
  readonly announced_at: string;
  readonly over_at: string;
  readonly owners: readonly OwnerView[];
};

export type OwnerView = { readonly person: string; readonly name: string; readonly key: { readonly id: string; readonly kind: string }; readonly in_roster: boolean };

export type PendingTrustChange = PreparedTrustChange & { readonly started_by: string; readonly started_at: string };

export type TrustView = {
  readonly fingerprint: string;
  readonly digest: string;
  readonly version: number;
  readonly created_at: string;
  readonly roster_version: number;
  readonly owners: readonly OwnerView[];
  readonly root: TrustRoot;
  /** People of the roster who have a key, to choose owners from. */
  readonly people: readonly { readonly person: PersonId; readonly name: string; readonly keys: readonly TrustRoot['owners'][number]['key'][] }[];
  readonly log_size: number;
  readonly pin: { readonly state: 'pinned'; readonly root_version: number; readonly roster_version: number; readonly log_size: number | null } | { readonly state: 'none'; readonly detail: string };
  readonly pending: readonly PendingTrustChange[];
  readonly recoveries: readonly PendingRecovery[];
  /** Recovery keys of earlier roots, which have no power any more; `until`: the last version that listed it. */
  readonly former_recovery_keys: readonly { readonly id: string; readonly until: number }[];
  /** The recovery key in force has brought a root into force already: the version. */
  readonly recovery_used: number | null;
};

/** Zod gives parts that were left out as undefined; the change has them not at all. */
function withoutGaps(change: { readonly [Part in keyof TrustRootChange]: TrustRootChange[Part] | undefined }): TrustRootChange {
  const { owners: who, thresholds, key_kinds, cool_off_seconds, recovery_key, service: key } = change;
  return {
    ...(who && { owners: who }),
    ...(thresholds && { thresholds }),
    ...(key_kinds && { key_kinds }),
    ...(cool_off_seconds === undefined ? {} : { cool_off_seconds }),
    ...(recovery_key && { recovery_key }),
    ...(key && { service: key }),
  };
}
