import type { Signer } from '@/lib/shared/dsse';

import { signerOf } from './browser-keys';
import { ReadFault } from './parse-answer';
import type { SigningKey } from './signing-key';

/** Signs with a key that this page has, a passkey asked for each document. What goes wrong here never reached the server, and must not read as if that had kept silent: throws a `ReadFault`. */
export async function signHere<Signed>(key: SigningKey, sign: (signer: Signer) => Promise<Signed>): Promise<Signed> {
  try {
    return await sign(signerOf(key));
  } catch (cause) {
    if (cause instanceof ReadFault) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new ReadFault({ code: 'internal', title: 'This browser could not sign', detail: `Its key could not be used: ${said}`, fix: 'Load the page anew. If it stays so, enrol a new key under Settings.', issues: [] });
  }
}
