'use client';

import { useState } from 'react';

import { keyFromFile, type SigningKey } from './key-from-file';
import { useDeviceKeys } from './use-device-keys';

/** The key an owner signs documents with: this browser’s, or for now one from a file. `asked` is false until the browser has said. */
export function useSigningKey(person: string) {
  const device = useDeviceKeys(person);
  const [fromFile, setFromFile] = useState<SigningKey | null>(null);
  const [fault, setFault] = useState<string | null>(null);

  async function load(file: File) {
    const read = await keyFromFile(await file.text());
    setFromFile(read.ok ? read.value : null);
    setFault(read.ok ? null : read.error.detail);
  }

  const key: SigningKey | undefined = fromFile ?? device?.[0];
  return { key, asked: device !== undefined, isFile: fromFile !== null, fault, load: (file: File) => void load(file) };
}
