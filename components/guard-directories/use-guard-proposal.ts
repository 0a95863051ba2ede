'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { prepareGuardSigning, rejectGuardProposal, signGuardProposal } from '@/app/actions/guard-directories';
import { actionValue } from '@/lib/client/action-fault';
import { faultOfGuardSigning } from '@/lib/client/guard-signing';
import type { SigningKey } from '@/lib/client/key-from-file';
import { ReadFault } from '@/lib/client/parse-answer';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import { signDocument } from '@/lib/client/sign-document';
import type { GuardCard, PreparedGuardSigning } from '@/lib/contracts/console/guard-directories';

/** Prepares, signs and turns down one proposal. */
export function useGuardProposal(card: GuardCard) {
  const client = useQueryClient();
  const onSettled = () => Promise.all([client.invalidateQueries({ queryKey: queryKeys.guardDirectories }), client.invalidateQueries({ queryKey: queryKeys.status })]);
  const preparing = useMutation({
    mutationFn: async (): Promise<PreparedGuardSigning> => {
      const prepared = actionValue(await prepareGuardSigning({ proposal: card.id }));
      const fault = faultOfGuardSigning(prepared, card);
      if (fault !== null) throw new ReadFault({ code: 'policy_altered', title: 'The server prepared something else', detail: fault, fix: 'Sign nothing.', issues: [] });
      return prepared;
    },
  });
  const signing = useMutation({
    mutationFn: async ({ prepared, key }: { readonly prepared: PreparedGuardSigning; readonly key: SigningKey }) => {
      const signed = await signHere(key, async (signer) => ({ application: await signDocument(prepared.application, signer), statement: await signDocument(prepared.statement, signer) }));
      return actionValue(await signGuardProposal({ proposal: card.id, ...signed }));
    },
    onSettled,
  });
  const rejecting = useMutation({ mutationFn: async (reason: string) => actionValue(await rejectGuardProposal({ proposal: card.id, reason })), onSettled });
  return { preparing, signing, rejecting };
}
