import { bytesEqual, utf8, type Sha256 } from '@/lib/shared/encoding';

/** Source: Web Authentication Level 3, section 6.1. */
const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attestedCredential: 0x40, extensions: 0x80 } as const;
const plainLength = 37;

/**
 * Undefined when an authenticator of this site saw the person and made sure that it was them. The counter is no condition: passkeys
 * that are kept on several devices have none, and what is checked years later may come in any order.
 */
export function faultOfAuthenticatorData(data: Uint8Array, rpId: string, sha256: Sha256): string | undefined {
  const flags = data[32] ?? 0;
  const has = (bit: number): boolean => (flags & bit) !== 0;
  if (!bytesEqual(data.subarray(0, 32), sha256(utf8(rpId)))) return 'The passkey answered for another site.';
  if (!has(flag.userPresent)) return 'Nobody was there when the passkey signed.';
  if (!has(flag.userVerified)) return 'The passkey signed without making sure who used it.';
  if (has(flag.backedUp) && !has(flag.backupEligible)) return 'The authenticator contradicts itself.';
  if (has(flag.attestedCredential)) return 'The authenticator made a key instead of using one.';
  const fits = has(flag.extensions) ? data.length > plainLength : data.length === plainLength;
  return fits ? undefined : 'The authenticator’s data has another length than its flags say.';
}
