'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';

import type { ActionResult } from '@/lib/contracts/console/action-result';
import type { EnrolKeyInput, EnrolKeyOutcome, OwnKeysView } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { PersonId } from '@/lib/shared/ids';

import { actionValue } from './action-fault';
import { enrolOwnKey } from './enrol-own-key';
import type { EnrolKind } from './make-key';
import { pickSigningKey } from './pick-signing-key';
import { readView } from './parse-answer';
import { queryKeys } from './query-keys';
import { useDeviceKeys } from './use-device-keys';

/** Makes a key of one's own and enrols it. `enrol` is the server action; the caller has it because this module may not. */
export function useEnrolment(person: PersonId, enrol: (input: EnrolKeyInput) => Promise<ActionResult<EnrolKeyOutcome>>) {
  const client = useQueryClient();
  const device = useDeviceKeys(person);
  return useMutation({
    mutationFn: async (kind: EnrolKind): Promise<EnrolKeyOutcome> => {
      const [own, viewer] = await Promise.all([readView<OwnKeysView>('/api/keys'), readView<Viewer>('/api/viewer')]);
      const earlier = pickSigningKey(device ?? [], own, 'low').usable[0];
      return actionValue(await enrolOwnKey({ person, name: viewer.email, own, kind, earlier, enrol }));
    },
    onSettled: () =>
      Promise.all([queryKeys.deviceKeys(person), queryKeys.ownKeys, queryKeys.approvals, queryKeys.enrolments, queryKeys.viewer].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
