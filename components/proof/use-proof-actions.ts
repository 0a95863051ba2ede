'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { cancelProof, proveAgain, startShadow, stopShadow } from '@/app/actions/proofs';
import { actionValue } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { shadowDays } from '@/lib/contracts/console/proofs';
import type { ProposalId } from '@/lib/shared/ids';

type Asked = { readonly does: 'prove' | 'cancel' | 'stop_shadow' } | { readonly does: 'shadow'; readonly days: (typeof shadowDays)[number] };

/** Asks for a proof or a shadow, or to stop one. What comes of it is read with the proof. */
export function useProofActions(proposal: ProposalId) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (asked: Asked): Promise<null> => {
      switch (asked.does) {
        case 'prove':
          return actionValue(await proveAgain({ proposal }));
        case 'cancel':
          return actionValue(await cancelProof({ proposal }));
        case 'shadow':
          return actionValue(await startShadow({ proposal, days: asked.days }));
        case 'stop_shadow':
          return actionValue(await stopShadow({ proposal }));
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.proof(proposal) }),
  });
}
