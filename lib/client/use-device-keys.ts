'use client';

import { useQuery } from '@tanstack/react-query';

import { browserKeysOf } from './browser-keys';
import { queryKeys } from './query-keys';

/** This person's keys in this browser; undefined until the browser has said. */
export function useDeviceKeys(person: string) {
  return useQuery({ queryKey: queryKeys.deviceKeys(person), queryFn: () => browserKeysOf(person), staleTime: Infinity, networkMode: 'always' }).data;
}
