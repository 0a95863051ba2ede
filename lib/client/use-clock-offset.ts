'use client';

import { useEffect, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let offsetMs: number | null = null;

/**
 * The server's clock minus this browser's, in milliseconds, from the `now` of the views read so far; 0 until one was read. One value for the
 * whole page, so that every countdown agrees.
 */
export function useClockOffset(serverNow: string): number {
  useEffect(() => noteServerTime(serverNow), [serverNow]);
  return useSyncExternalStore(subscribe, () => offsetMs ?? 0, () => 0);
}

/** Takes the `now` of a view that has just arrived into account. */
export function noteServerTime(serverNow: string): void {
  const reading = Date.parse(serverNow) - Date.now();
  if (Number.isNaN(reading)) return;
  const next = nearest(offsetMs, reading);
  if (next === offsetMs) return;
  offsetMs = next;
  for (const listener of [...listeners]) listener();
}

/**
 * The better of two readings. Each comes out too small by the time it spent on its way, which would show more time left than there is; the
 * largest is therefore the nearest to the truth. One that differs by more than a minute means that a clock was set, and starts anew.
 */
export function nearest(before: number | null, reading: number): number {
  return before === null || Math.abs(reading - before) > 60_000 ? reading : Math.max(before, reading);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
