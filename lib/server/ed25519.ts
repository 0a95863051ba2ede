import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';

import type { Signer, VerifySignature } from '@/lib/shared/dsse';
import type { KeyId } from '@/lib/shared/ids';
import { keyIdOf } from '@/lib/shared/keys';

import { nodeSha256 } from './node-sha256';

/** A private key with its public half. `publicKey` is raw, 32 bytes. */
export type SigningKey = { readonly id: KeyId; readonly publicKey: Uint8Array; readonly signer: Signer; readonly pem: string };

/** DER in front of the 32 raw bytes of an Ed25519 public key (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');
/** Imported keys by their raw bytes: importing costs more than verifying. */
const imported = new Map<string, KeyObject>();

export const generateKey = (): SigningKey => signingKey(generateKeyPairSync('ed25519').privateKey);

/** From a PKCS#8 PEM. Throws when it is not an Ed25519 private key. */
export function keyFromPem(pem: string): SigningKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`The key is ${key.asymmetricKeyType ?? 'of no known kind'}, not Ed25519.`);
  return signingKey(key);
}

function signingKey(privateKey: KeyObject): SigningKey {
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32));
  const id = keyIdOf(nodeSha256, publicKey);
  // Signing takes some 30 microseconds: less than handing the bytes to another thread and back.
  const signer: Signer = { keyId: id, sign: async (bytes) => new Uint8Array(sign(null, bytes, privateKey)) };
  return { id, publicKey, signer, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Ed25519 as Node has it. What cannot be checked is false. */
export const verifyEd25519: VerifySignature = async (publicKey, bytes, signature) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const name = Buffer.from(publicKey).toString('base64');
  try {
    let key = imported.get(name);
    if (!key) {
      key = createPublicKey({ key: Buffer.concat([spkiPrefix, publicKey]), format: 'der', type: 'spki' });
      if (imported.size < 10_000) imported.set(name, key);
    }
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
};
