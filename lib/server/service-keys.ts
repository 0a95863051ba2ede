import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ServiceRole } from '@/lib/authority/trust-root';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';

import { generateKey, keyFromPem, type SigningKey } from './ed25519';
import { nodeSha256 } from './node-sha256';
import { readIfThere, writeWhole } from './whole-file';

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
  const key = keyFromPem(await firstOf(file, generateKey().pem));
  await writeWhole(fileOf(stateDirectory, role, 'pub'), `${toBase64(key.publicKey)}\n`, 0o644);
  return key;
}

/** Of two processes that start at once and each make a key, both go on with the one that was there first. */
async function firstOf(file: string, pem: string): Promise<string> {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, pem, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, file);
    return pem;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    return (await readIfThere(file)) ?? pem;
  } finally {
    await rm(temporary, { force: true });
  }
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
