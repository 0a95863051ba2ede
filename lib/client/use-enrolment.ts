'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { EnrolKeyInput, EnrolKeyOutcome, OwnKeysView } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { PersonId } from '@/lib/shared/ids';

import { actionValue } from './action-fault';
import { enrolOwnKey, type EnrolKind } from './enrol-own-key';
import { pickSigningKey } from './pick-signing-key';
import { ReadFault, readView } from './parse-answer';
import { queryKeys } from './query-keys';
import { useDeviceKeys } from './use-device-keys';
import { canEd25519 } from './verify-signature';

/** Makes a key of one's own and enrols it. `enrol` is the server action; the caller has it because this module may not. */
export function useEnrolment(person: PersonId, enrol: (input: EnrolKeyInput) => Promise<ActionResult<EnrolKeyOutcome>>) {
  const client = useQueryClient();
  const device = useDeviceKeys(person);
  return useMutation({
    mutationFn: async (kind: EnrolKind): Promise<EnrolKeyOutcome> => {
      if (kind !== 'passkey' && !(await canEd25519())) throw new ReadFault(cannotSign);
      const [own, viewer] = await Promise.all([readView<OwnKeysView>('/api/keys'), readView<Viewer>('/api/viewer')]);
      const earlier = pickSigningKey(device ?? [], own, 'low').usable[0];
      return actionValue(await enrolOwnKey({ person, name: viewer.email, own, kind, earlier, enrol }));
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
