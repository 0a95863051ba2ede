'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { signProposals } from '@/app/actions/proposals';
import { actionValue } from '@/lib/client/action-fault';
import type { SigningKey } from '@/lib/client/key-from-file';
import { queryKeys } from '@/lib/client/query-keys';
import { signDocument } from '@/lib/client/sign-document';
import { signHere } from '@/lib/client/sign-here';
import type { PreparedSigning, SignedProposals, SignProposalsInput } from '@/lib/contracts/console/proposals';
import type { ProposalId } from '@/lib/shared/ids';

type Signing = { readonly proposals: readonly ProposalId[]; readonly prepared: PreparedSigning; readonly key: SigningKey };

/** One statement over all steps, and for each what takes effect by it, signed one after another: a passkey asks for each. */
export function useSignProposals() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ proposals, prepared, key }: Signing): Promise<SignedProposals> => {
      const signed = await signHere(key, async (signer) => {
        const statement = await signDocument(prepared.statement, signer);
        const documents: SignProposalsInput['documents'] = [];
        for (const step of prepared.steps) {
          const own: { envelope: string }[] = [];
          for (const document of step.documents) own.push({ envelope: await signDocument(document, signer) });
          documents.push(own);
        }
        return { statement, documents };
      });
      return actionValue(await signProposals({ proposals: [...proposals], ...signed }));
    },
    onSettled: () => Promise.all([queryKeys.proposals, queryKeys.policies, queryKeys.status].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
