import { createECDH, createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';

import type { Signer } from '@/lib/shared/dsse';
import { concatBytes, toBase64, utf8 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';
import { assertionBytes, type Assertion } from '@/lib/shared/passkey/assertion';
import { passkeyBytes } from '@/lib/shared/passkey/passkey-entry';

import { nodeSha256, testKey } from './node-crypto';

export type PasskeyAlgorithm = 'ES256' | 'EdDSA';

/** What a dishonest browser or authenticator may answer otherwise than it should. */
export type AssertionChange = {
  /** The client data's fields, or the text itself. */
  readonly client?: Readonly<Record<string, unknown>> | string;
  readonly flags?: number;
  readonly counter?: number;
  /** The site whose hash the authenticator states. */
  readonly rpId?: string;
  readonly behind?: Uint8Array;
};

export type TestPasskey = {
  readonly publicKey: Uint8Array;
  readonly entry: PublicKeyEntry;
  readonly signer: Signer;
  /** Signs the bytes as an authenticator does, with what the test changes: the signature is always over what is sent. */
  readonly assert: (bytes: Uint8Array, change?: AssertionChange) => Assertion;
};

/** User present, user verified, kept on several devices. */
const usualFlags = 0x1d;

/**
 * An authenticator in software with a key made from a word. Never for anything but tests. ES256 signatures differ each time they are
 * made; those of EdDSA do not.
 */
export function testPasskey(word: string, algorithm: PasskeyAlgorithm = 'ES256', rpId = 'localhost'): TestPasskey {
  const { privateKey, coseKey } = algorithm === 'ES256' ? p256Key(word) : ed25519Key(word);
  const publicKey = passkeyBytes({ coseKey, credentialId: createHash('sha256').update(`credential ${word}`).digest().subarray(0, 16), rpId });
  const entry: PublicKeyEntry = { id: keyIdOf(nodeSha256, publicKey), kind: 'passkey', public_key: toBase64(publicKey) };
  const assert = (bytes: Uint8Array, change: AssertionChange = {}): Assertion => {
    const challenge = Buffer.from(nodeSha256(bytes)).toString('base64url');
    const usual = { type: 'webauthn.get', challenge, origin: rpId === 'localhost' ? 'http://localhost:3000' : `https://${rpId}`, crossOrigin: false };
    const clientDataJson = utf8(typeof change.client === 'string' ? change.client : JSON.stringify({ ...usual, ...change.client }));
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(change.counter ?? 0);
    const authenticatorData = concatBytes(nodeSha256(utf8(change.rpId ?? rpId)), Uint8Array.of(change.flags ?? usualFlags), counter, change.behind ?? new Uint8Array());
    const signed = concatBytes(authenticatorData, nodeSha256(clientDataJson));
    return { authenticatorData, clientDataJson, signature: new Uint8Array(sign(algorithm === 'ES256' ? 'sha256' : null, signed, privateKey)) };
  };
  return { publicKey, entry, assert, signer: { keyId: entry.id satisfies KeyId, sign: async (bytes) => assertionBytes(assert(bytes)) } };
}

type Made = { readonly privateKey: KeyObject; readonly coseKey: Uint8Array };

function p256Key(word: string): Made {
  const seed = createHash('sha256').update(`passkey ${word}`).digest();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(seed);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const privateKey = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: seed.toString('base64url'), x: x.toString('base64url'), y: y.toString('base64url') }, format: 'jwk',
  });
  return { privateKey, coseKey: concatBytes(Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y) };
}

function ed25519Key(word: string): Made {
  const { publicKey } = testKey(`passkey ${word}`);
  const seed = createHash('sha256').update(`test key passkey ${word}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
  return { privateKey, coseKey: concatBytes(Buffer.from('a4010103272006215820', 'hex'), publicKey) };
}
