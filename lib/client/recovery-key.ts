import { concatBytes, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';
import { fail, type Result } from '@/lib/shared/result';

import { sha256 } from './hash';
import { keyFromFile } from './key-from-file';
import type { SigningKey } from './signing-key';

/** The key that can replace owner keys. It is shown once, as a file and as a code to print, and stored nowhere. */
export type RecoveryKey = { readonly entry: PublicKeyEntry; readonly pem: string; readonly code: string };

const seedLength = 32;
const checkLength = 3;
/** Five bits a character, and nothing over. */
const codeLength = ((seedLength + checkLength) * 8) / 5;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export async function makeRecoveryKey(): Promise<RecoveryKey> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey));
  // PKCS#8 of an Ed25519 key ends in its 32-byte seed. Source: RFC 8410, section 7.
  return {
    entry: { id: keyIdOf(sha256, raw), kind: 'file-ed25519', public_key: toBase64(raw) },
    pem: pemOf(pkcs8),
    code: recoveryCode(pkcs8.slice(-seedLength)),
  };
}

/** The seed and three bytes of its hash in base32, fourteen groups of four: a slip in copying shows. */
export function recoveryCode(seed: Uint8Array): string {
  const bytes = concatBytes(seed, sha256(seed).slice(0, checkLength));
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(value >> bits) & 31] ?? '';
      value &= (1 << bits) - 1;
    }
  }
  return text.match(/.{4}/g)?.join(' ') ?? text;
}

/** The seed of a code, in any case and spacing; undefined when it was not copied right. */
export function seedOfRecoveryCode(code: string): Uint8Array | undefined {
  const text = typed(code);
  if (text.length !== codeLength) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = (value << 5) | digit;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
    value &= (1 << bits) - 1;
  }
  const seed = Uint8Array.from(bytes.slice(0, seedLength));
  return sha256(seed).slice(0, checkLength).every((byte, at) => byte === bytes[seedLength + at]) ? seed : undefined;
}

/**
 * The key of a code, usable in this page's memory alone. What is wrong with a code is said without repeating any of it. Faults: `invalid_input`.
 */
export async function keyFromRecoveryCode(code: string): Promise<Result<Required<SigningKey>>> {
  const { length } = typed(code);
  if (length !== codeLength) return fail('invalid_input', `It has ${String(length)} letters and digits; a recovery code has ${String(codeLength)}.`, { fix: 'Type all fourteen groups of four.' });
  const seed = seedOfRecoveryCode(code);
  if (!seed) return fail('invalid_input', 'A letter or digit was copied wrong.', { fix: 'Compare it with what was printed, group by group. A code has no 0, 1, 8 or 9.' });
  return await keyFromFile(pemOf(concatBytes(pkcs8Head, seed)));
}

const typed = (code: string): string => code.toUpperCase().replace(/[\s-]/g, '');

/** What stands before the seed in PKCS#8 of an Ed25519 key. Source: RFC 8410, section 7. */
const pkcs8Head = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20);

const pemOf = (pkcs8: Uint8Array): string => `-----BEGIN PRIVATE KEY-----\n${toBase64(pkcs8)}\n-----END PRIVATE KEY-----\n`;
