'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { makeProposal, prepareProposal } from '@/app/actions/proposals';
import { statementTypes } from '@/lib/authority/owner-statements';
import { actionValue } from '@/lib/client/action-fault';
import { sha256 } from '@/lib/client/hash';
import type { SigningKey } from '@/lib/client/key-from-file';
import { ReadFault } from '@/lib/client/parse-answer';
import { queryKeys } from '@/lib/client/query-keys';
import { signDocument } from '@/lib/client/sign-document';
import { signHere } from '@/lib/client/sign-here';
import type { PolicyFormat } from '@/lib/contracts/console/policies';
import type { PreparedProposal } from '@/lib/contracts/console/proposals';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import { isJsonObject } from '@/lib/shared/json';
import { parseStrictJson } from '@/lib/shared/strict-json';
import { isId, type PersonId } from '@/lib/shared/ids';

/** `tests`: the cases beside it, which come along unsigned; empty when there are none. */
export type ProposedText = { readonly target?: 'policy' | 'grant'; readonly text: string; readonly format: PolicyFormat; readonly tests?: string };

/** Has the server write down what is proposed, and signs and files exactly that. */
export function usePropose(person: PersonId, proposed: ProposedText) {
  const client = useQueryClient();
  const { target = 'policy', text, format, tests = '' } = proposed;
  const digest = digestOf(sha256, utf8(text));
  const prepared = useQuery({
    queryKey: ['prepared-proposal', digest],
    queryFn: async () => {
      const found = actionValue(await prepareProposal({ target, text, format }));
      if (!speaksOf(found, target, digest, person)) throw new ReadFault({ code: 'policy_altered', title: 'The server prepared something else', detail: 'What it wants signed does not speak of your text.', fix: 'Sign nothing.', issues: [] });
      return found;
    },
    staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
  });
  const proposing = useMutation({
    mutationFn: async ({ key, reason }: { readonly key: SigningKey; readonly reason: string }) => {
      const { proposal, base, statement } = prepared.data ?? nothingPrepared();
      if (!isId('proposal', proposal)) throw new Error('The server named no proposal.');
      const envelope = await signHere(key, (signer) => signDocument(statement, signer));
      return actionValue(await makeProposal({ proposal, target, text, format, ...(tests.trim() === '' ? {} : { tests }), base, envelope, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.proposals }),
  });
  return { prepared, proposing };
}

const nothingPrepared = (): never => {
  throw new Error('Nothing is prepared.');
};

/** What gets signed must name this text, this person and the base that is shown. */
function speaksOf({ statement, proposal, base, digest }: PreparedProposal, target: string, own: string, person: PersonId): boolean {
  const read = parseStrictJson(statement.text);
  if (!read.ok || !isJsonObject(read.value) || statement.payload_type !== statementTypes.proposal || digest !== own) return false;
  const said = read.value;
  const on = said['base'] ?? null;
  const sameBase = base === null ? on === null : isJsonObject(on) && on['revision'] === base.revision && on['digest'] === base.digest;
  return said['digest'] === own && said['proposer'] === person && said['proposal'] === proposal && said['target'] === target && sameBase;
}
