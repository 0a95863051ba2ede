import { z } from 'zod';

import type { Role } from '@/lib/authority/roles';
import type { PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import { email, id, password, personName } from './fields';

/** Makes a row and a first password. The person has no role until an owner signs a roster that lists them. */
export const invitePersonInput = z.strictObject({ email, name: personName });
export type InvitePersonInput = z.infer<typeof invitePersonInput>;
export type Invited = { readonly person: PersonId; readonly first_password: string };

export const suspendPersonInput = z.strictObject({ person: id('person') });
export const changePasswordInput = z.strictObject({ current: z.string().max(200), next: password });

export type PersonView = {
  readonly id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  readonly keys: readonly PublicKeyEntry[];
  readonly in_roster: boolean;
  readonly suspended: boolean;
};
