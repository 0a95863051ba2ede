import type { KeyId, PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';

/** Who signs a statement, and with which key: part of what is signed. */
export type Signatory = { readonly person: PersonId; readonly key: KeyId; readonly key_kind: KeyKind };
