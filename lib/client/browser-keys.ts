import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

import type { Signer } from '@/lib/shared/dsse';
import { toBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { keyIdOf } from '@/lib/shared/keys';

import { passkeySigner } from './ask-passkey';
import { sha256 } from './hash';
import type { SigningKey } from './signing-key';

/**
 * A key that can be used in this browser. Unless it is a passkey it lives in this browser profile, at this origin, and nowhere else,
 * and cannot be exported: the browser signs with it and never shows it, not even to this page.
 */
export type BrowserKey = SigningKey & { readonly person: PersonId; readonly created_at: string };

interface Schema extends DBSchema {
  keys: { key: string; value: BrowserKey & { readonly id: string }; indexes: { person: string } };
}

const algorithm = 'Ed25519';

/** Makes a key and does not store it: set-up learns only afterwards whose it is. */
export async function makeBrowserKey(): Promise<SigningKey & { readonly private_key: CryptoKey }> {
  const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return { entry: { id: keyIdOf(sha256, raw), kind: 'browser-ed25519', public_key: toBase64(raw) }, private_key: pair.privateKey };
}

/** Stores it and asks the browser not to evict it. Crash before this: the key is gone, and so is whatever was to be signed with it. */
export async function storeBrowserKey(key: Omit<BrowserKey, 'created_at'>): Promise<void> {
  await (await database()).put('keys', { ...key, id: key.entry.id, created_at: new Date().toISOString() });
  await askForPersistence();
}

export const browserKeysOf = async (person: string): Promise<readonly BrowserKey[]> => await (await database()).getAllFromIndex('keys', 'person', person);

export const forgetBrowserKey = async (id: string): Promise<void> => await (await database()).delete('keys', id);

/** Signs with the key, asking its authenticator where it is a passkey. Throws when the page was given no handle to a key of another kind. */
export function signerOf({ entry, private_key: key }: SigningKey): Signer {
  if (entry.kind === 'passkey') return passkeySigner(entry);
  if (key === undefined) throw new TypeError('There is no private key to sign with.');
  return { keyId: entry.id, sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm, key, bytes.slice())) };
}

/** True when the browser promises to keep the key until somebody clears it by hand. */
async function askForPersistence(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}

let opened: Promise<IDBPDatabase<Schema>> | undefined;

function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>('countersign', 1, {
    upgrade: (db) => db.createObjectStore('keys', { keyPath: 'id' }).createIndex('person', 'person'),
    terminated: () => { opened = undefined; },
  });
  return opened;
}
