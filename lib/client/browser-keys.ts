import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

import type { Signer } from '@/lib/shared/dsse';
import { toBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';
import { keyIdOf, type PublicKeyEntry } from '@/lib/shared/keys';

import { sha256 } from './hash';

/**
 * A key that lives in this browser profile, at this origin, and nowhere else. The private half cannot be exported: the
 * browser signs with it and never shows it, not even to this page.
 */
export type BrowserKey = {
  readonly entry: PublicKeyEntry;
  readonly person: PersonId;
  readonly created_at: string;
  readonly private_key: CryptoKey;
};

interface Schema extends DBSchema {
  keys: { key: string; value: BrowserKey & { readonly id: string }; indexes: { person: string } };
}

const algorithm = 'Ed25519';

/** Makes a key and does not store it: set-up learns only afterwards whose it is. */
export async function makeBrowserKey(): Promise<Pick<BrowserKey, 'entry' | 'private_key'>> {
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

export const signerOf = ({ entry, private_key: key }: Pick<BrowserKey, 'entry' | 'private_key'>): Signer => ({
  keyId: entry.id,
  sign: async (bytes) => new Uint8Array(await crypto.subtle.sign(algorithm, key, bytes.slice())),
});

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
