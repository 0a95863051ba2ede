'use client';

import { useQuery } from '@tanstack/react-query';

import { canMakePasskeys } from './ask-passkey';

export type PasskeyOffer = 'impossible' | 'possible' | 'at_hand';

/** Whether passkeys can be made at this address, and whether this very device can make one. `possible` until the browser has said. */
export function usePasskeyOffer(): PasskeyOffer {
  return useQuery({ queryKey: ['passkey-offer'], queryFn: ask, staleTime: Infinity, networkMode: 'always' }).data ?? 'possible';
}

async function ask(): Promise<PasskeyOffer> {
  if (!canMakePasskeys()) return 'impossible';
  const platform = await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
  return platform ? 'at_hand' : 'possible';
}
