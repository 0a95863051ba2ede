import { writeFile } from 'node:fs/promises';

import { generateKey, type SigningKey } from '@/lib/server/ed25519';

/** A new Ed25519 key in a new file that only this user reads. Throws when the file is there: a key is never written over. */
export async function newKeyFile(file: string): Promise<SigningKey> {
  const key = generateKey();
  await writeFile(file, key.pem, { mode: 0o600, flag: 'wx' });
  return key;
}
