'use client';

import { useSyncExternalStore } from 'react';

/** Where the page scrolls as a whole instead of its panes, as in `app/styles/narrow.css`. */
const query = '(max-width: 68rem)';

/** True on screens too narrow for panes side by side; false on the server. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches, () => false);

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
