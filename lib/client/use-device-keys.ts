'use client';

import { useQuery } from '@tanstack/react-query';

import type { OwnKeysView } from '@/lib/contracts/console/keys';
import { isId } from '@/lib/shared/ids';

import { canAskHere } from './ask-passkey';
import { browserKeysOf, type BrowserKey } from './browser-keys';
import { ownKeysQuery } from './queries';
import { queryKeys } from './query-keys';

/**
 * This person's keys that can be used in this browser: those that it holds, then their enrolled passkeys for this address, which may be on any
 * authenticator at hand. Undefined until browser and console have said.
 */
export function useDeviceKeys(person: string): readonly BrowserKey[] | undefined {
  const held = useQuery({ queryKey: queryKeys.deviceKeys(person), queryFn: () => browserKeysOf(person), staleTime: Infinity, networkMode: 'always' }).data;
  const own = useQuery(ownKeysQuery());
  if (held === undefined || own.isPending) return undefined;
  return own.data === undefined ? held : [...held, ...passkeysElsewhere(person, held, own.data)];
}

function passkeysElsewhere(person: string, held: readonly BrowserKey[], { enrolled, owner }: OwnKeysView): readonly BrowserKey[] {
  if (!isId('person', person)) return [];
  const known = new Set(held.map(({ entry }) => entry.id));
  const listed = new Map([...enrolled, ...owner].map((entry) => [entry.id, entry]));
  return [...listed.values()].filter((entry) => !known.has(entry.id) && canAskHere(entry)).map((entry) => ({ entry, person, created_at: '' }));
}
