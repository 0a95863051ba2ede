'use client';

import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let nowMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * The browser's clock, in milliseconds, once a second; null while rendering on the server and during hydration, so that both produce the
 * same text. All users share one timer, so that every countdown on the screen moves at the same moment.
 */
export function useNow(): number | null {
  return useSyncExternalStore(subscribe, () => nowMs, () => null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    nowMs = null;
  };
}

function tick() {
  nowMs = Date.now();
  for (const listener of [...listeners]) listener();
}
