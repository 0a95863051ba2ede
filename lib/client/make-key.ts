import type { PublicKeyEntry } from '@/lib/shared/keys';

import { makePasskey } from './ask-passkey';
import { makeBrowserKey } from './browser-keys';
import { ReadFault } from './parse-answer';
import type { SigningKey } from './signing-key';
import { canEd25519 } from './verify-signature';

/** What somebody can make a key of in a browser. */
export const enrolKinds = ['passkey', 'browser-ed25519'] as const;
export type EnrolKind = (typeof enrolKinds)[number];

/** A new key of this kind, stored nowhere yet. `name`: as the authenticator shows whose passkey it is. Throws a `ReadFault` when none can be made here. */
export async function makeKey(kind: EnrolKind, name: string, known: readonly PublicKeyEntry[]): Promise<SigningKey> {
  if (kind === 'passkey') return await makePasskey(name, known);
  if (!(await canEd25519())) throw new ReadFault(cannotSign);
  return await makeBrowserKey();
}

const cannotSign = {
  code: 'key_kind_refused',
  title: 'This browser cannot sign',
  detail: 'It lacks Ed25519 keys, or this page is not served over https or from localhost.',
  fix: 'Use a current Chrome, Edge, Firefox or Safari.',
  issues: [],
} as const;
