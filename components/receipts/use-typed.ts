'use client';

import { useEffect, useEffectEvent, useState } from 'react';

/** A pause after which what was typed counts: shorter, and the log would be searched for half a word. */
const pauseMs = 250;

/** What stands in a search field while somebody types. It is handed on after a pause, or at once with `commit`. */
export function useTyped(value: string, onTyped: (text: string) => void): { readonly text: string; readonly type: (text: string) => void; readonly commit: () => void } {
  const [typed, setTyped] = useState<string | null>(null);
  const hand = useEffectEvent((text: string) => {
    setTyped(null);
    if (text !== value) onTyped(text);
  });
  // Outside system: the clock.
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => hand(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return {
    text: typed ?? value,
    type: setTyped,
    commit: () => {
      if (typed === null) return;
      setTyped(null);
      if (typed !== value) onTyped(typed);
    },
  };
}
