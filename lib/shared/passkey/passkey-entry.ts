import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { hasExactNames } from '@/lib/shared/json';

import { readCoseKey, type CoseKey } from './cose-key';

/** What a signed document has to list of a passkey so that its assertions verify with nothing else at hand. */
export type PasskeyEntry = { readonly coseKey: Uint8Array; readonly credentialId: Uint8Array; readonly rpId: string };

export type ReadPasskey = PasskeyEntry & { readonly key: CoseKey };

/** A credential id is at most this long. Source: Web Authentication Level 3, section 4. */
const mostCredentialBytes = 1023;
const mostEntryBytes = 2048;

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^${label}(?:\\.${label})*$`);

/** A lower-case host name, as browsers spell the site that a passkey belongs to. */
export const isRpId = (text: string): boolean => text.length <= 253 && hostName.test(text);

/**
 * The bytes that stand as a passkey's `public_key`, and whose hash is its id: canonical JSON, so that one passkey has one id, and
 * the site and the credential cannot be changed under it.
 */
export const passkeyBytes = ({ coseKey, credentialId, rpId }: PasskeyEntry): Uint8Array =>
  canonicalBytes({ cose_key: toBase64(coseKey), credential_id: toBase64(credentialId), rp_id: rpId });

/** Undefined unless the bytes are exactly what `passkeyBytes` writes of a key that is accepted. No Ed25519 key (32 bytes) reads as one. */
export function readPasskey(bytes: Uint8Array): ReadPasskey | undefined {
  const read = readCanonicalDocument(bytes, mostEntryBytes);
  if (!read.ok || !hasExactNames(read.value, ['cose_key', 'credential_id', 'rp_id'])) return undefined;
  const { cose_key, credential_id, rp_id } = read.value;
  if (typeof cose_key !== 'string' || typeof credential_id !== 'string' || typeof rp_id !== 'string' || !isRpId(rp_id)) return undefined;
  const coseKey = fromBase64(cose_key);
  const credentialId = fromBase64(credential_id);
  const key = coseKey && readCoseKey(coseKey);
  if (!coseKey || !key || !credentialId || credentialId.length === 0 || credentialId.length > mostCredentialBytes) return undefined;
  return { coseKey, credentialId, rpId: rp_id, key };
}
