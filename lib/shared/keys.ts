import { toHex, type Sha256 } from './encoding';
import type { KeyId } from './ids';
import { readPasskey } from './passkey/passkey-entry';

/** Where a private key lives. The trust root says which kind may sign what. */
export const keyKinds = ['browser-ed25519', 'passkey', 'file-ed25519'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** A public key as documents list it, in standard base64: 32 raw bytes of Ed25519, and for a passkey what `passkeyBytes` writes. */
export type PublicKeyEntry = { readonly id: KeyId; readonly kind: KeyKind; readonly public_key: string };

/** A key's id is the SHA-256 of its public bytes in hex: nobody can claim another key's id. */
export const keyIdOf = (sha256: Sha256, publicKey: Uint8Array): KeyId => toHex(sha256(publicKey)) as KeyId;

/** A kind names a form: a passkey's bytes read as a passkey's entry, every other key is 32 raw bytes. */
export const fitsKind = (kind: KeyKind, publicKey: Uint8Array): boolean => (kind === 'passkey' ? readPasskey(publicKey) !== undefined : publicKey.length === 32);
