import { toHex, type Sha256 } from './encoding';
import type { KeyId } from './ids';

/** Where a private key lives. The trust root says which kind may sign what. */
export const keyKinds = ['browser-ed25519', 'passkey', 'file-ed25519'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** A public key as documents list it: raw 32-byte Ed25519 in standard base64. */
export type PublicKeyEntry = { readonly id: KeyId; readonly kind: KeyKind; readonly public_key: string };

/** A key's id is the SHA-256 of its raw public bytes in hex: nobody can claim another key's id. */
export const keyIdOf = (sha256: Sha256, publicKey: Uint8Array): KeyId => toHex(sha256(publicKey)) as KeyId;
