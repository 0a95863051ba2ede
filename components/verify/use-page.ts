'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { VerifierLink } from '@/lib/client/verifier-link';
import type { VerifyAnswer, VerifyRequest } from '@/lib/client/verify-messages';

export const pageLength = 50;

/** One question to the worker about the open bundle. Its answer never changes, so it is asked once. */
export function useAsked<Kind extends 'lines' | 'stories' | 'receipt'>(link: VerifierLink, run: number, request: Extract<VerifyRequest, { kind: Kind }>) {
  return useQuery<VerifyAnswer[Kind]>({
    queryKey: ['verify', run, request],
    queryFn: () => link.ask<Kind>(request),
    staleTime: Infinity,
    networkMode: 'always',
    retry: false,
    // The page before stays until the next one is there, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
}
