'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { prepareGrant, prepareGrantProposal, revokeGrant, signGrant } from '@/app/actions/grants';
import { actionValue } from '@/lib/client/action-fault';
import { sha256 } from '@/lib/client/hash';
import type { SigningKey } from '@/lib/client/key-from-file';
import { ReadFault } from '@/lib/client/parse-answer';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import { signDocument } from '@/lib/client/sign-document';
import { readGrant } from '@/lib/authority/verify-grant';
import type { PreparedGrant, PrepareGrantInput, PrepareGrantProposalInput, RevokeGrantInput } from '@/lib/contracts/console/grants';
import type { DocumentToSign } from '@/lib/contracts/console/set-up';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { toBase64, utf8 } from '@/lib/shared/encoding';

/** Has a grant prepared, to give or (`asks`) to ask for; signs it, ends it. */
export function useGrants() {
  const client = useQueryClient();
  const again = { onSettled: () => client.invalidateQueries({ queryKey: queryKeys.grants }) };
  const preparing = useMutation({
    mutationFn: async ({ input, asks }: { readonly input: PrepareGrantInput; readonly asks: boolean }): Promise<PreparedGrant> => {
      const { reason: _reason, replaces: _replaces, ...bare } = input;
      const prepared = actionValue(asks ? await prepareGrantProposal(bare) : await prepareGrant(input));
      if (!saysWhatWasAsked(prepared, asks ? bare : input)) throw new ReadFault({ code: 'grant_invalid', title: 'The server prepared something else', detail: 'The document to sign is not the grant that you filled in.', fix: 'Sign nothing.', issues: [] });
      return prepared;
    },
  });
  const signing = useMutation({
    mutationFn: async ({ document, key }: { readonly document: DocumentToSign; readonly key: SigningKey }) => actionValue(await signGrant({ envelope: await signHere(key, (signer) => signDocument(document, signer)) })),
    ...again,
  });
  const revoking = useMutation({ mutationFn: async (input: RevokeGrantInput) => actionValue(await revokeGrant(input)), ...again });
  return { preparing, signing, revoking };
}

/** The signature is given to the text: so the text has to say what the form said. A tool may be named by its alias. */
function saysWhatWasAsked({ document, grant }: PreparedGrant, { tool: _tool, ...input }: PrepareGrantProposalInput): boolean {
  const read = readGrant({ payloadType: document.payload_type, payload: toBase64(utf8(document.text)), signatures: [] }, { sha256 });
  if (!read.ok) return false;
  const { tool: _own, ...terms } = read.value.terms;
  return canonicalJson(asJson(terms)) === canonicalJson(asJson({ ...input, grant }));
}
