'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { refuseEnrolment } from '@/app/actions/keys';
import { RosterDialog } from '@/components/signing/roster-dialog';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { Icon } from '@/components/ui/icon';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue } from '@/lib/client/action-fault';
import { keyWords } from '@/lib/client/key-words';
import { shownFault } from '@/lib/client/parse-answer';
import { enrolmentsQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { EnrolmentView } from '@/lib/contracts/console/keys';
import type { PersonId } from '@/lib/shared/ids';

/** Keys that wait for an owner. Look that the person is the one who asked: the signature lets them approve. */
export function Enrolments({ person }: { readonly person: PersonId }) {
  const client = useQueryClient();
  const { data, error } = useQuery(enrolmentsQuery());
  const [open, setOpen] = useState<EnrolmentView | null>(null);
  const refusing = useMutation({
    mutationFn: async (enrolment: string) => actionValue(await refuseEnrolment({ enrolment })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.enrolments }),
  });
  return (
    <Section title="Keys that wait for you" note={data === undefined ? undefined : `${data.enrolments.length}`}>
      {error === null ? null : <ErrorState title="The waiting keys could not be read." code={shownFault(error).code}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="waiting keys" rows={2} /> : null) : data.enrolments.length === 0 ? (
        <p className="meta2">None. When somebody enrols a key, it waits here for an owner’s signature.</p>
      ) : (
        <ul className="findings">
          {data.enrolments.map((enrolment) => (
            <li key={enrolment.id}>
              <b>{enrolment.name}</b>
              <span>{enrolment.email}, {keyWords(enrolment.key.kind)} <Digest value={enrolment.key.id} length="short" />, <Time at={enrolment.created_at} />{enrolment.by_earlier_key ? ', signed by a key of theirs too' : ''}</span>
              <span className="flex gap-2">
                <Button small onClick={() => refusing.mutate(enrolment.id)} aria-label={`Refuse the key of ${enrolment.name}`}>Refuse</Button>
                <Button small kind="primary" onClick={() => setOpen(enrolment)} icon={<Icon name="key" small />}>Countersign</Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {open === null ? null : (
        <RosterDialog
          title={`Countersign the key of ${open.name}`} change={{ kind: 'enrol_key', enrolment: open.id }} person={person} onClose={() => setOpen(null)}
          lines={[{ label: 'Person', value: `${open.name}, ${open.email}` }, { label: 'Key', value: <>{keyWords(open.key.kind)} <Digest value={open.key.id} /></> }, { label: 'Asked by', value: open.by_earlier_key ? 'A key that is theirs already, and the new one.' : 'The new key alone, from their session. Ask them whether it is theirs.' }, { label: 'Then', value: `This ${keyWords(open.key.kind)} may sign in their name what the trust root lets its kind sign.` }]}
        />
      )}
    </Section>
  );
}
