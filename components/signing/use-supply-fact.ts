'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { supplyFact } from '@/app/actions/deferrals';
import { signSuppliedFact, type SuppliedFact } from '@/lib/approvals/supplied-fact';
import { actionValue } from '@/lib/client/action-fault';
import type { SigningKey } from '@/lib/client/key-from-file';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import type { ContentItem } from '@/lib/ledger/content';
import { envelopeText } from '@/lib/shared/dsse';

export type FactSigning = { readonly fact: SuppliedFact; readonly content: ContentItem | null; readonly key: SigningKey };

/** Signs a fact here and supplies it. Whatever comes of it, what waits is read again. */
export function useSupplyFact() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ fact, content, key }: FactSigning) => {
      const envelope = await signHere(key, (signer) => signSuppliedFact(fact, signer));
      return actionValue(await supplyFact({ deferral: fact.deferral, envelope: envelopeText(envelope), content: content && { salt: content.salt, value: content.value } }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.approvals }),
  });
}
