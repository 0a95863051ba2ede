'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { KeyPurpose } from '@/lib/authority/trust-root';

import { keyFromFile, type SigningKey } from './key-from-file';
import { kindsToEnrol, pickSigningKey } from './pick-signing-key';
import { ownKeysQuery } from './queries';
import { useDeviceKeys } from './use-device-keys';

/**
 * The key that somebody signs with here: the best of those that may sign for this purpose, another that they chose, or for now one from a file.
 * Without a purpose, any key of this browser that the roster lists; `also` as in `pickSigningKey`. `asked` is false until the browser has said; `why` says why there is no key.
 */
export function useSigningKey(person: string, purpose?: KeyPurpose, also?: readonly string[]) {
  const device = useDeviceKeys(person);
  const own = useQuery(ownKeysQuery()).data;
  const [fromFile, setFromFile] = useState<SigningKey | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { usable, why } = pickSigningKey(device ?? [], own, purpose, also);

  async function load(file: File) {
    const read = await keyFromFile(await file.text());
    setFromFile(read.ok ? read.value : null);
    setFault(read.ok ? null : read.error.detail);
  }

  const key: SigningKey | undefined = fromFile ?? usable.find(({ entry }) => entry.id === chosen) ?? usable[0];
  return {
    key, keys: usable, asked: device !== undefined, isFile: fromFile !== null, why: key === undefined ? why : null, fault,
    /** As in `kindsToEnrol`. */
    kinds: kindsToEnrol(purpose, own),
    labels: own?.labels ?? {},
    load: (file: File) => void load(file),
    choose: (id: string) => { setFromFile(null); setChosen(id); },
  };
}
