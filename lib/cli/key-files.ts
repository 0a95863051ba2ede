import { readFile } from 'node:fs/promises';

import { keyFromPem, type SigningKey } from '@/lib/server/ed25519';

/** Private keys from PKCS#8 PEM files. Throws, without a word of its content, when one is none. */
export const readKeyFiles = (files: readonly string[]): Promise<readonly SigningKey[]> =>
  Promise.all(
    files.map(async (file) => {
      const pem = await readFile(file, 'utf8');
      try {
        return keyFromPem(pem);
      } catch {
        throw new Error(`${file} holds no Ed25519 private key (PKCS#8 PEM).`);
      }
    }),
  );
