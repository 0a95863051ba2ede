import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ServiceRole } from '@/lib/authority/trust-root';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';

import { generateKey, keyFromPem, type SigningKey } from './ed25519';
import { nodeSha256 } from './node-sha256';

const fileOf = (stateDirectory: string, role: ServiceRole, ending: 'pem' | 'pub'): string => path.join(stateDirectory, 'keys', `${role}.${ending}`);

/**
 * This process's own receipt key: read from the state directory, made there (0600) at the first start. The public half lies
 * beside it, so that set-up can have the root delegate to it without ever reading the private one.
 */
export async function ownServiceKey(stateDirectory: string, role: ServiceRole): Promise<SigningKey> {
  const file = fileOf(stateDirectory, role, 'pem');
  const pem = await readIfThere(file);
  if (pem !== undefined) return keyFromPem(pem);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const key = generateKey();
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, key.pem, { mode: 0o600, flag: 'wx' });
  await chmod(temporary, 0o600);
  await writeFile(fileOf(stateDirectory, role, 'pub'), `${toBase64(key.publicKey)}\n`);
  await rename(temporary, file);
  return key;
}

/** The receipt key of a service that has started here before; undefined when there is none. Never makes one. */
export async function existingServiceKey(stateDirectory: string, role: ServiceRole): Promise<SigningKey | undefined> {
  const pem = await readIfThere(fileOf(stateDirectory, role, 'pem'));
  return pem === undefined ? undefined : keyFromPem(pem);
}

/** A service's public key as the trust root lists it; undefined before that service has first started. */
export async function servicePublicKey(stateDirectory: string, role: ServiceRole): Promise<PublicKeyEntry | undefined> {
  const text = await readIfThere(fileOf(stateDirectory, role, 'pub'));
  const bytes = text === undefined ? undefined : fromBase64(text.trim());
  if (bytes?.length !== 32) return undefined;
  return { id: keyIdOf(nodeSha256, bytes), kind: 'file-ed25519', public_key: toBase64(bytes) };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}
