'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { applyProposal, orderProposals, rebaseProposal, rejectProposal, withdrawProposal } from '@/app/actions/proposals';
import { actionValue } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { ProposalId } from '@/lib/shared/ids';

/** What may be done about proposals without signing: each reads the lists anew, however it ended. */
export function useProposalActions() {
  const client = useQueryClient();
  const onSettled = () => Promise.all([queryKeys.proposals, queryKeys.policies, queryKeys.status].map((queryKey) => client.invalidateQueries({ queryKey })));
  return {
    rejecting: useMutation({ mutationFn: async (asked: { readonly proposal: ProposalId; readonly reason: string }) => actionValue(await rejectProposal(asked)), onSettled }),
    withdrawing: useMutation({ mutationFn: async (proposal: ProposalId) => actionValue(await withdrawProposal({ proposal })), onSettled }),
    rebasing: useMutation({ mutationFn: async (proposal: ProposalId) => actionValue(await rebaseProposal({ proposal })), onSettled }),
    ordering: useMutation({ mutationFn: async (proposals: readonly ProposalId[]) => actionValue(await orderProposals({ proposals: [...proposals] })), onSettled }),
    applying: useMutation({ mutationFn: async (proposal: ProposalId) => actionValue(await applyProposal({ proposal })), onSettled }),
  };
}
