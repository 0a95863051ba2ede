'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { completeRosterChange } from '@/app/actions/roster';
import { actionValue } from '@/lib/client/action-fault';
import type { SigningKey } from '@/lib/client/key-from-file';
import { queryKeys } from '@/lib/client/query-keys';
import { signHere } from '@/lib/client/sign-here';
import { countersign, signDocument } from '@/lib/client/sign-document';
import type { PreparedRosterChange } from '@/lib/contracts/console/roster';
import { parseEnvelope } from '@/lib/shared/dsse';

/** Signs exactly the roster that the server wrote and the dialog showed. */
export function useRosterChange() {
  const client = useQueryClient();
  const signing = useMutation({
    mutationFn: async ({ prepared, key }: { readonly prepared: PreparedRosterChange; readonly key: SigningKey }) => {
      const { change, enrolment_envelope: enrolment } = prepared;
      const parsed = enrolment === null ? null : parseEnvelope(enrolment);
      const signed = await signHere(key, async (signer) => ({
        ...(parsed?.ok === true ? { countersigned: await countersign(parsed.value, signer) } : {}),
        roster: await signDocument(prepared.roster, signer),
      }));
      return actionValue(await completeRosterChange({ change, ...signed }));
    },
    onSettled: () => Promise.all([queryKeys.pendingRosters, queryKeys.enrolments, queryKeys.people, queryKeys.ownKeys, queryKeys.agents, queryKeys.approvals].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return { signing };
}
