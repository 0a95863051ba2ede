import type { Signer } from '@/lib/shared/dsse';

/**
 * An Ed25519 key that can be asked to sign, wherever it lives. `publicKey` is raw, 32 bytes; `keyId` is its SHA-256 in hex.
 *
 * INVARIANT: what `sign` resolves to verifies under `publicKey` over exactly the bytes given. Everything else rejects with
 * `SignerUnavailable` within the signer's own deadline, so no false signature ever gets into a receipt or a checkpoint.
 */
export type KeySigner = Signer & { readonly publicKey: Uint8Array };

/** The key could not be asked, or did not answer with its signature. Nothing was signed as far as the caller is concerned. */
export class SignerUnavailable extends Error {
  override readonly name = 'SignerUnavailable';
}

/** The trust root lets no key of this process sign at this log position: what it signed there would never verify. */
export class KeyNotDelegated extends Error {
  override readonly name = 'KeyNotDelegated';
  constructor(readonly position: number) {
    super(`The trust root delegates log position ${String(position)} to no key of this process.`);
  }
}

/** By name: a framework may load this module twice, and a fault that came from another thread has lost its class. */
export const isKeyNotDelegated = (error: unknown): error is Error => error instanceof Error && error.name === 'KeyNotDelegated';
