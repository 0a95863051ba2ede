import { z } from 'zod';

import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

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
  /** The envelope as stored: the owner adds a countersignature to it. */
  readonly envelope: string;
  readonly created_at: string;
};

export type OwnKeysView = {
  readonly workspace: string;
  readonly enrolled: readonly PublicKeyEntry[];
  readonly waiting: readonly { readonly key: KeyId; readonly created_at: string }[];
  readonly may_sign: { readonly [impact in 'low' | 'medium' | 'high' | 'critical']: readonly string[] };
};

export const refuseEnrolmentInput = z.strictObject({ enrolment: z.string().min(1).max(64) });
