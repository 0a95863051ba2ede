import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { ServiceRole } from '@/lib/authority/trust-root';
import { fromBase64, toBase64 } from '@/lib/shared/encoding';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';

import { generateKey, keyFromPem, type SigningKey } from './ed25519';
import { nodeSha256 } from './node-sha256';
import { keyOfText } from './signers/key-signer';
import { readPrivateIfThere } from './signers/private-file';
import type { KeySettings } from './signing-settings';
import { readIfThere, writeWhole } from './whole-file';

/** Whose public key the first trust root lists: a service's own, and a key service's for checkpoints. */
export type PublicKeyOf = ServiceRole | 'checkpoint';

const fileOf = (stateDirectory: string, of: PublicKeyOf, ending: 'pem' | 'next.pem' | 'pub'): string => path.join(stateDirectory, 'keys', `${of}.${ending}`);

/**
 * This process's own receipt key: of its settings, else read from the state directory, made there (0600) at the first start. The
 * public half lies in the state directory, so that set-up can have the root delegate to it without ever reading the private one.
 * Throws when the file may be read by others, or is not this user's.
 */
export async function ownServiceKey(stateDirectory: string, role: ServiceRole, given?: KeySettings): Promise<SigningKey> {
  const file = fileOf(stateDirectory, role, 'pem');
  if (given?.key === undefined) await dropOtherNames(file);
  const found = given?.key ?? (await readPrivateIfThere(file));
  if (found !== undefined && given?.key === undefined) return keyOfText(found, file);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const key = given?.key === undefined ? keyFromPem(await firstOf(file, generateKey().pem)) : keyOfGiven(given.key, role, 'KEY');
  await writePublicKey(stateDirectory, role, key.publicKey);
  return key;
}

/**
 * All keys of this process: its own, and the successor that a rotation prepares (`<role>.next.pem`, or its setting). Which of them
 * signs is the trust root's to say.
 */
export async function ownServiceKeys(stateDirectory: string, role: ServiceRole, given?: KeySettings): Promise<readonly [SigningKey, ...SigningKey[]]> {
  const own = await ownServiceKey(stateDirectory, role, given);
  const file = fileOf(stateDirectory, role, 'next.pem');
  const next = given?.next ?? (await readPrivateIfThere(file));
  if (next === undefined) return [own];
  return [own, given?.next === undefined ? keyOfText(next, file) : keyOfGiven(next, role, 'KEY_NEXT')];
}

const keyOfGiven = (pem: string, role: ServiceRole, setting: string): SigningKey => keyOfText(pem.replaceAll('\\n', '\n'), `${role.toUpperCase()}_${setting}`);

/** Where set-up finds it. Written only when it changes, so that a state directory that is read-only by now still serves. */
export async function writePublicKey(stateDirectory: string, of: PublicKeyOf, publicKey: Uint8Array): Promise<void> {
  const file = fileOf(stateDirectory, of, 'pub');
  const text = `${toBase64(publicKey)}\n`;
  if ((await readIfThere(file)) === text) return;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, text, 0o644);
}

/** Of two processes that start at once and each make a key, both go on with the one that was there first. */
async function firstOf(file: string, pem: string): Promise<string> {
  // Not by process id: in a container that is the same at each start, and what a crash left here would end every later one.
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, pem, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, file);
    return pem;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
    await dropOtherNames(file);
    return (await readPrivateIfThere(file)) ?? pem;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Of a key that another process made, and was ended (or is) before it took its draft away: the file then has two names, and one that does is
 * refused as somebody else's way to it. Only names of this pattern beside it, for the very same file, are drafts.
 */
async function dropOtherNames(file: string): Promise<void> {
  const folder = path.dirname(file);
  const there = await lstat(file).catch(ifGone);
  if (!there || there.nlink === 1) return;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !/\.[0-9a-f]{12}$/.test(name)) continue;
    const draft = path.join(folder, name);
    if ((await lstat(draft).catch(ifGone))?.ino === there.ino) await rm(draft, { force: true });
  }
}

function ifGone(cause: unknown): undefined {
  if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
  return undefined;
}

/** The receipt keys of a service that has started here before; undefined when there are none. Never makes one. */
export async function existingServiceKeys(stateDirectory: string, role: ServiceRole, given?: KeySettings): Promise<readonly [SigningKey, ...SigningKey[]] | undefined> {
  const there = given?.key ?? (await readPrivateIfThere(fileOf(stateDirectory, role, 'pem')));
  return there === undefined ? undefined : await ownServiceKeys(stateDirectory, role, given);
}

/** A public key as the trust root lists it; undefined before that service has first started, or when there is no such key service. */
export async function servicePublicKey(stateDirectory: string, role: PublicKeyOf): Promise<PublicKeyEntry | undefined> {
  const text = await readIfThere(fileOf(stateDirectory, role, 'pub'));
  const bytes = text === undefined ? undefined : fromBase64(text.trim());
  if (bytes?.length !== 32) return undefined;
  return { id: keyIdOf(nodeSha256, bytes), kind: 'file-ed25519', public_key: toBase64(bytes) };
}
