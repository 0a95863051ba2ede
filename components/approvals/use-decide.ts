'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { approve, askBack, deny, edit, extend, withdraw } from '@/app/actions/approvals';
import { signEdit, type EditStatement } from '@/lib/approvals/edit';
import { signExtension, type Extension } from '@/lib/approvals/extension';
import { signVote } from '@/lib/approvals/vote-statement';
import type { VoteStatement } from '@/lib/approvals/vote';
import type { AskBackInput, DenyInput, EditedView, ExtensionOutcome, VoteOutcome } from '@/lib/contracts/console/approvals';
import { actionValue } from '@/lib/client/action-fault';
import type { BrowserKey } from '@/lib/client/browser-keys';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import type { ContentItem } from '@/lib/ledger/content';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopeText } from '@/lib/shared/dsse';

export type Signing = { readonly statement: VoteStatement; readonly key: BrowserKey };

/** `at`: the signer’s clock, part of what is signed. */
export type Extending = { readonly extension: Extension; readonly at: string; readonly key: BrowserKey };

export type Editing = { readonly statement: EditStatement; readonly content: ContentItem; readonly key: BrowserKey };

/** Approve, extend, edit, deny, ask back and withdraw. Whatever comes of it, what is on screen is read again. */
export function useDecide() {
  const client = useQueryClient();
  const onSettled = async () => await client.invalidateQueries({ queryKey: queryKeys.approvals });
  const signing = useMutation({
    mutationFn: async ({ statement, key }: Signing): Promise<VoteOutcome> => {
      const envelope = await signHere(key, (signer) => signVote(statement, signer));
      return actionValue(await approve({ approval: statement.request, envelope: envelopeText(envelope) }));
    },
    onSettled,
  });
  const extending = useMutation({
    mutationFn: async ({ extension, at, key }: Extending): Promise<ExtensionOutcome> => {
      const envelope = await signHere(key, (signer) => signExtension(extension, at, signer));
      return actionValue(await extend({ approval: extension.request, envelope: envelopeText(envelope) }));
    },
    onSettled,
  });
  const editing = useMutation({
    mutationFn: async ({ statement, content, key }: Editing): Promise<EditedView> => {
      const envelope = await signHere(key, (signer) => signEdit(statement, signer));
      return actionValue(await edit({ approval: statement.request, envelope: envelopeText(envelope), content: { salt: content.salt, parameters: canonicalJson(content.value) } }));
    },
    onSettled,
  });
  const denying = useMutation({ mutationFn: async (input: DenyInput) => actionValue(await deny(input)), onSettled });
  const asking = useMutation({ mutationFn: async (input: AskBackInput) => actionValue(await askBack(input)), onSettled });
  const withdrawing = useMutation({ mutationFn: async (input: Parameters<typeof withdraw>[0]) => actionValue(await withdraw(input)), onSettled });
  return { signing, extending, editing, denying, asking, withdrawing };
}
