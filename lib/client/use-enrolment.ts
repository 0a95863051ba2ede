'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { EnrolKeyInput, EnrolKeyOutcome, OwnKeysView } from '@/lib/contracts/console/keys';
import { isId, type PersonId } from '@/lib/shared/ids';

import { actionValue } from './action-fault';
import { enrolBrowserKey } from './enrol-browser-key';
import { ReadFault, readView } from './parse-answer';
import { queryKeys } from './query-keys';
import { canEd25519 } from './verify-signature';

/** Makes this browser's key and enrols it. `enrol` is the server action; the caller has it because this module may not. */
export function useEnrolment(person: PersonId, enrol: (input: EnrolKeyInput) => Promise<ActionResult<EnrolKeyOutcome>>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<EnrolKeyOutcome> => {
      if (!(await canEd25519())) throw new ReadFault(cannotSign);
      const { workspace, enrolled } = await readView<OwnKeysView>('/api/keys');
      if (!isId('workspace', workspace)) throw new TypeError('The console named no workspace.');
      return actionValue(await enrolBrowserKey(person, workspace, enrolled.map(({ id }) => id), enrol));
    },
    onSettled: () =>
      Promise.all([queryKeys.deviceKeys(person), queryKeys.ownKeys, queryKeys.approvals, queryKeys.enrolments, queryKeys.viewer].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

const cannotSign = {
  code: 'key_kind_refused',
  title: 'This browser cannot sign',
  detail: 'It lacks Ed25519 keys, or this page is not served over https or from localhost.',
  fix: 'Use a current Chrome, Edge, Firefox or Safari.',
  issues: [],
} as const;
