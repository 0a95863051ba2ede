'use client';

import { useEffect, useState } from 'react';

/**
 * The server's clock minus this browser's, in milliseconds, from the `now` of the views read so far. Each reading comes out too small by the
 * time it spent on its way, which would show more time left than there is; the largest of them is therefore the nearest to the truth.
 */
export function useClockOffset(serverNow: string): number {
  const [offset, setOffset] = useState<number | null>(null);
  useEffect(() => {
    const reading = Date.parse(serverNow) - Date.now();
    if (!Number.isNaN(reading)) setOffset((before) => largest(before, reading));
  }, [serverNow]);
  return offset ?? 0;
}

/** A change of the browser's clock by more than a minute starts the readings anew. */
export function largest(before: number | null, reading: number): number {
  return before === null || Math.abs(reading - before) > 60_000 ? reading : Math.max(before, reading);
}
