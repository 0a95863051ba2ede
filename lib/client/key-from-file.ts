import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';

import { sha256 } from './hash';
import type { SigningKey } from './signing-key';

export type { SigningKey } from './signing-key';

const algorithm = 'Ed25519';

/**
 * Reads an unencrypted PKCS#8 PEM of an Ed25519 key. It stays in this page's memory until the page is left, cannot be
 * exported from there, and is stored nowhere. Faults: `invalid_input`.
 */
export async function keyFromFile(pem: string): Promise<Result<Required<SigningKey>>> {
  const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem)?.[1]?.replace(/\s/g, '');
  const bytes = body === undefined ? undefined : fromBase64(body);
  if (!bytes) return fail('invalid_input', 'This is no unencrypted PKCS#8 key in PEM form.');
  try {
    const readable = await crypto.subtle.importKey('pkcs8', bytes.slice(), algorithm, true, ['sign']);
    const publicKey = fromBase64Url((await crypto.subtle.exportKey('jwk', readable)).x);
    if (publicKey?.length !== 32) return fail('invalid_input', 'The file does not hold an Ed25519 key.');
    const private_key = await crypto.subtle.importKey('pkcs8', bytes.slice(), algorithm, false, ['sign']);
    return ok({ entry: { id: keyIdOf(sha256, publicKey), kind: 'file-ed25519', public_key: toBase64(publicKey) }, private_key });
  } catch (cause) {
    return fail('invalid_input', 'The file does not hold an Ed25519 key.', { cause });
  }
}

const fromBase64Url = (text: string | undefined): Uint8Array | undefined =>
  text === undefined ? undefined : fromBase64(text.replaceAll('-', '+').replaceAll('_', '/').padEnd(Math.ceil(text.length / 4) * 4, '='));
