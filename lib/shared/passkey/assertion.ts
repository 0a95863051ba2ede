import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { hasExactNames } from '@/lib/shared/json';

/** What an authenticator and its browser answered when asked to sign. Source: Web Authentication Level 3, section 5.2.2. */
export type Assertion = {
  readonly authenticatorData: Uint8Array;
  readonly clientDataJson: Uint8Array;
  /** As the algorithm has it: DER for ES256, 64 bytes for EdDSA. */
  readonly signature: Uint8Array;
};

/** Bounds in bytes. An assertion without extensions has 37 bytes of authenticator data; an ES256 signature at most 72. */
const most = { authenticatorData: 1024, clientDataJson: 4096, signature: 72 } as const;
const leastAuthenticatorData = 37;
const mostAssertionBytes = 8192;

/** The bytes that stand as `sig` in an envelope: canonical JSON of the three parts, each in base64. */
export const assertionBytes = ({ authenticatorData, clientDataJson, signature }: Assertion): Uint8Array =>
  canonicalBytes({ authenticator_data: toBase64(authenticatorData), client_data_json: toBase64(clientDataJson), signature: toBase64(signature) });

/** Undefined unless the bytes are exactly what `assertionBytes` writes, within the bounds. A raw Ed25519 signature never reads as one. */
export function readAssertion(bytes: Uint8Array): Assertion | undefined {
  const read = readCanonicalDocument(bytes, mostAssertionBytes);
  if (!read.ok || !hasExactNames(read.value, ['authenticator_data', 'client_data_json', 'signature'])) return undefined;
  const authenticatorData = part(read.value['authenticator_data'], most.authenticatorData);
  const clientDataJson = part(read.value['client_data_json'], most.clientDataJson);
  const signature = part(read.value['signature'], most.signature);
  if (!authenticatorData || authenticatorData.length < leastAuthenticatorData || !clientDataJson || !signature) return undefined;
  return { authenticatorData, clientDataJson, signature };
}

function part(value: unknown, mostBytes: number): Uint8Array | undefined {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  return bytes && bytes.length > 0 && bytes.length <= mostBytes ? bytes : undefined;
}
