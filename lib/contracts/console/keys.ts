import { z } from 'zod';

import type { KeyPurpose } from '@/lib/authority/trust-root';
import { keyIdField } from '@/lib/shared/document-fields';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { KeyKind, PublicKeyEntry } from '@/lib/shared/keys';

import { envelope } from './fields';

/** DSSE by the new key over the key enrolment statement (lib/authority/key-enrolment). */
export const enrolKeyInput = z.strictObject({ envelope: envelope(16 * 1024) });
export type EnrolKeyInput = z.infer<typeof enrolKeyInput>;

export type EnrolKeyOutcome = { readonly key: KeyId; readonly state: 'waiting' | 'enrolled' };

export type EnrolmentView = {
  readonly id: string;
  readonly person: PersonId;
  readonly name: string;
  readonly email: string;
  readonly key: PublicKeyEntry;
  /** A key that the person has already signed it too: not only somebody with their password asks for this. */
  readonly by_earlier_key: boolean;
  /** The envelope as stored: the owner adds a countersignature to it. */
  readonly envelope: string;
  readonly created_at: string;
};

/** Times of the log; null when it does not say. */
export type KeyHistory = { readonly added: string | null; readonly used: string | null };

export type OwnKeysView = {
  readonly workspace: string;
  /** Keys that the signed roster lists for the viewer and that nobody has revoked. */
  readonly enrolled: readonly PublicKeyEntry[];
  /** Keys that the trust root lists for the viewer as an owner. */
  readonly owner: readonly PublicKeyEntry[];
  readonly waiting: readonly { readonly key: KeyId; readonly kind: KeyKind; readonly created_at: string }[];
  /** Keys that the viewer revoked: they never count again. */
  readonly revoked: readonly { readonly key: KeyId; readonly at: string }[];
  /** When each key entered the roster, and when it last signed something that the log holds, as far as one looks back. */
  readonly history: Readonly<Record<string, KeyHistory>>;
  /** What the viewer calls their keys. */
  readonly labels: Readonly<Record<string, string>>;
  readonly may_sign: { readonly [P in KeyPurpose]: readonly KeyKind[] };
};

/** A name for an own key, for nobody but its owner; it changes nothing that the key may do. */
export const renameKeyInput = z.strictObject({ key: keyIdField, label: z.string().trim().min(1).max(80) });
export type RenameKeyInput = z.infer<typeof renameKeyInput>;

/** Ends an own key at once. Needs only the session. */
export const revokeKeyInput = z.strictObject({ key: keyIdField });
export type RevokeKeyInput = z.infer<typeof revokeKeyInput>;
/** `still_owner`: the trust root lists it for what owners sign, until they sign another root. */
export type RevokedKey = { readonly key: KeyId; readonly was: 'enrolled' | 'waiting'; readonly still_owner: boolean };

export const refuseEnrolmentInput = z.strictObject({ enrolment: z.string().min(1).max(64) });
