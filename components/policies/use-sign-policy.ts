'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { applyPolicy, preparePolicy } from '@/app/actions/policies';
import { parsePolicyStatement } from '@/lib/authority/policy-statement';
import { actionValue } from '@/lib/client/action-fault';
import { signerOf } from '@/lib/client/browser-keys';
import { sha256 } from '@/lib/client/hash';
import type { SigningKey } from '@/lib/client/key-from-file';
import { ReadFault } from '@/lib/client/parse-answer';
import { queryKeys } from '@/lib/client/query-keys';
import { signDocument } from '@/lib/client/sign-document';
import type { AppliedPolicy, PolicyFormat, PreparedPolicy } from '@/lib/contracts/console/policies';
import { digestOf, utf8 } from '@/lib/shared/encoding';

export type PolicyDraft = { readonly text: string; readonly format: PolicyFormat };
export type PolicySigning = PolicyDraft & { readonly prepared: PreparedPolicy; readonly key: SigningKey };

/** Has a draft checked, and signs and applies it. */
export function useSignPolicy() {
  const client = useQueryClient();
  const checking = useMutation({
    mutationFn: async (draft: PolicyDraft): Promise<PolicyDraft & { readonly prepared: PreparedPolicy }> => {
      const prepared = actionValue(await preparePolicy(draft));
      const fault = faultOf(prepared, draft.text);
      if (fault !== null) throw new ReadFault({ code: 'policy_altered', title: 'The server prepared something else', detail: fault, fix: 'Sign nothing.', issues: [] });
      return { ...draft, prepared };
    },
  });
  const applying = useMutation({
    mutationFn: async ({ text, format, prepared, key }: PolicySigning): Promise<AppliedPolicy> => {
      const signer = signerOf(key);
      const [signature, statement] = await Promise.all([signDocument(prepared.policy, signer), signDocument(prepared.policy_revision, signer)]);
      return actionValue(await applyPolicy({ text, format, signature, statement, origin: 'console' }));
    },
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: queryKeys.policies }), client.invalidateQueries({ queryKey: queryKeys.status })]),
  });
  return { checking, applying };
}

/** What gets signed must be the text that was written, and the statement must speak of it. */
function faultOf(prepared: PreparedPolicy, text: string): string | null {
  if (prepared.policy.text !== text) return 'The text to sign is not the text that you wrote.';
  const statement = parsePolicyStatement(utf8(prepared.policy_revision.text));
  if (!statement.ok) return 'The revision statement cannot be read.';
  const { digest, revision } = statement.value;
  return digest === digestOf(sha256, utf8(text)) && revision === prepared.revision ? null : 'The revision statement speaks of another text.';
}
