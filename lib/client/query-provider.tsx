'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { ReadFault } from './parse-answer';

/** Live data for everything below. Events say when to read again; what they may have missed is read again on focus. */
export function QueryProvider({ children }: { readonly children: ReactNode }) {
  const [client] = useState(makeClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

const makeClient = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 20_000, retry: (count, error) => count < 2 && isPassing(error) }, mutations: { retry: false } },
  });

/** Only what may pass by itself is tried again; a refusal is an answer. */
const isPassing = (error: Error): boolean => !(error instanceof ReadFault) || error.shown.code === 'unavailable' || error.shown.code === 'overloaded';
