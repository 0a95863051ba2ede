import { bytesEqual, concatBytes, fromHex } from '@/lib/shared/encoding';

/** Public keys as passkeys have them. `point` is the uncompressed point (65 bytes, 0x04 first), `key` the raw 32 bytes. */
export type CoseKey =
  | { readonly algorithm: 'ES256'; readonly point: Uint8Array }
  | { readonly algorithm: 'EdDSA'; readonly key: Uint8Array };

/** COSE's numbers of the algorithms that are accepted, in the order in which one is asked for. Source: RFC 9053, tables 1 and 2. */
export const coseAlgorithms = [-7, -8] as const;

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array();

// {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} and {1: 1 (OKP), 3: -8 (EdDSA), -1: 6 (Ed25519), -2: x}.
const es256 = bytesOf('a5010203262001215820');
const yFollows = bytesOf('225820');
const edDsa = bytesOf('a4010103272006215820');
const es256Length = es256.length + 32 + yFollows.length + 32;
const edDsaLength = edDsa.length + 32;

/**
 * A COSE_Key (RFC 9052, section 7) in CTAP2's canonical CBOR, which leaves one spelling for each key: anything else is undefined.
 * Whether a point is on the curve is for the function that verifies.
 */
export function readCoseKey(bytes: Uint8Array): CoseKey | undefined {
  if (bytes.length === edDsaLength && bytesEqual(bytes.subarray(0, edDsa.length), edDsa)) return { algorithm: 'EdDSA', key: bytes.slice(edDsa.length) };
  const y = es256.length + 32;
  const isEs256 = bytes.length === es256Length && bytesEqual(bytes.subarray(0, es256.length), es256) && bytesEqual(bytes.subarray(y, y + yFollows.length), yFollows);
  if (!isEs256) return undefined;
  return { algorithm: 'ES256', point: concatBytes(Uint8Array.of(4), bytes.subarray(es256.length, y), bytes.subarray(y + yFollows.length)) };
}

/** The key's COSE_Key bytes at the front of longer ones, such as an authenticator's data; undefined when no accepted key is there. */
export function coseKeyAtFront(bytes: Uint8Array): Uint8Array | undefined {
  for (const length of [es256Length, edDsaLength]) {
    const front = bytes.slice(0, length);
    if (readCoseKey(front)) return front;
  }
  return undefined;
}
