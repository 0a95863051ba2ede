'use client';

import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';

import { keysOfEvent } from './keys-of-event';
import { parseConsoleEvent } from './parse-console-event';

/** `lost` since that moment of this browser's clock: countdowns stop and signing is off until it is live again. */
export type LiveState = { readonly state: 'connecting' | 'live' } | { readonly state: 'lost'; readonly sinceMs: number };

const Live = createContext<LiveState>({ state: 'connecting' });

export const useLive = (): LiveState => use(Live);

/** A burst of events leads to one round of reads. */
const gatherMs = 120;
const reconnectMs = 3_000;

/** Listens to the server's events and has what they name read again. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveState>({ state: 'connecting' });

  // Outside system: the event stream. A stream that the server ended for good (signed out, restarted) is opened anew.
  useEffect(() => {
    let source: EventSource | undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    let gathered: QueryKey[] | null = [];

    const flush = () => {
      gathering = undefined;
      const keys = gathered;
      gathered = [];
      if (keys === null) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'device-keys' });
      else for (const queryKey of keys) void client.invalidateQueries({ queryKey });
    };
    const gather = (keys: readonly QueryKey[] | null) => {
      gathered = keys === null || gathered === null ? null : [...gathered, ...keys];
      gathering ??= setTimeout(flush, gatherMs);
    };
    const lose = () => setLive((before) => (before.state === 'lost' ? before : { state: 'lost', sinceMs: Date.now() }));
    const open = () => {
      source = new EventSource('/api/events');
      source.onopen = () => {
        setLive({ state: 'live' });
        // Nothing tells what happened while the line was down.
        gather(null);
      };
      source.onmessage = ({ data }: MessageEvent<unknown>) => gather(keysOfEvent(parseConsoleEvent(data)));
      source.onerror = () => {
        lose();
        if (source?.readyState !== EventSource.CLOSED) return;
        source.close();
        reopening = setTimeout(open, reconnectMs);
      };
    };
    open();
    window.addEventListener('offline', lose);
    return () => {
      window.removeEventListener('offline', lose);
      source?.close();
      clearTimeout(gathering);
      clearTimeout(reopening);
    };
  }, [client]);

  return <Live value={live}>{children}</Live>;
}
