'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import { completeRosterChange } from '@/app/actions/roster';
import { actionValue } from '@/lib/client/action-fault';
import { signerOf } from '@/lib/client/browser-keys';
import type { SigningKey } from '@/lib/client/key-from-file';
import { queryKeys } from '@/lib/client/query-keys';
import { countersign, signDocument } from '@/lib/client/sign-document';
import type { PreparedRosterChange } from '@/lib/contracts/console/roster';
import { parseEnvelope } from '@/lib/shared/dsse';

/** Signs exactly the roster that the server wrote and the dialog showed. */
export function useRosterChange() {
  const client = useQueryClient();
  const signing = useMutation({
    mutationFn: async ({ prepared, key }: { readonly prepared: PreparedRosterChange; readonly key: SigningKey }) => {
      const signer = signerOf(key);
      const { change, enrolment_envelope: enrolment } = prepared;
      const parsed = enrolment === null ? null : parseEnvelope(enrolment);
      const countersigned = parsed?.ok === true ? { countersigned: await countersign(parsed.value, signer) } : {};
      return actionValue(await completeRosterChange({ change, roster: await signDocument(prepared.roster, signer), ...countersigned }));
    },
    onSettled: () => Promise.all([queryKeys.pendingRosters, queryKeys.enrolments, queryKeys.people, queryKeys.ownKeys, queryKeys.agents, queryKeys.approvals].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  return { signing };
}
