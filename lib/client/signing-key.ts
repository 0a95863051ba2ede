import type { PublicKeyEntry } from '@/lib/shared/keys';

/** A key to sign with now. A passkey's private half stays in its authenticator; of every other kind the page holds a handle to it. */
export type SigningKey = { readonly entry: PublicKeyEntry; readonly private_key?: CryptoKey };
