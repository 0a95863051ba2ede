import { readFile } from 'node:fs/promises';

import { keyOfText } from '@/lib/server/signers/key-signer';
import type { SigningKey } from '@/lib/server/ed25519';

/** Private keys that a person hands to a command, from PKCS#8 PEM files. Throws, without a word of its content, when one is none. */
export const readKeyFiles = (files: readonly string[]): Promise<readonly SigningKey[]> =>
  Promise.all(files.map(async (file) => keyOfText(await readFile(file, 'utf8'), file)));
