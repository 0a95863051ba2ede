import type { Permission, Role } from '@/lib/authority/roles';
import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';

/** Who looks: identity from the session, everything it may do from the signed roster in force, never from a row. */
export type Viewer = {
  readonly person: PersonId;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly groups: readonly string[];
  readonly keys: readonly { readonly id: KeyId; readonly kind: KeyKind }[];
  readonly permissions: readonly Permission[];
};
