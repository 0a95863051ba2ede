import type { KeySigner } from '@/lib/ports/signer';

import { keyFromPem, type SigningKey } from '../ed25519';
import { readPrivateFile } from './private-file';

/** A key that this process holds, behind the port. */
export const signerOfKey = ({ id, publicKey, signer }: SigningKey): KeySigner => ({ keyId: id, publicKey, sign: signer.sign });

/** The key in a file (PKCS#8 PEM, mode 0600, this user's). Throws, without a word of its content, when it may not be used. */
export async function fileSigner(file: string): Promise<KeySigner> {
  return signerOfKey(keyOfText(await readPrivateFile(file), file));
}

/** The key in a setting: PKCS#8 PEM, with line breaks or with `\n` written out. `name` stands for it in faults. */
export const environmentSigner = (name: string, text: string): KeySigner => signerOfKey(keyOfText(text.replaceAll('\\n', '\n'), name));

/** Throws, naming the place and never the content. */
export function keyOfText(pem: string, place: string): SigningKey {
  try {
    return keyFromPem(pem);
  } catch {
    throw new Error(`${place} holds no Ed25519 private key (PKCS#8 PEM).`);
  }
}
