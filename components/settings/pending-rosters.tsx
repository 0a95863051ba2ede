'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { withdrawCeremony } from '@/app/actions/trust';
import { RosterDialog } from '@/components/signing/roster-dialog';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { pendingRostersQuery, peopleQuery } from '@/lib/client/queries';
import { queryKeys } from '@/lib/client/query-keys';
import type { PendingRosterChange } from '@/lib/contracts/console/roster';
import { isDigest, type PersonId } from '@/lib/shared/ids';

import { rosterChangeWords } from './roster-change-words';

/** Changes of the roster that one owner has signed and others have to. */
export function PendingRosters({ person }: { readonly person: PersonId }) {
  const client = useQueryClient();
  const { data } = useQuery(pendingRostersQuery());
  const { data: people } = useQuery(peopleQuery());
  const [open, setOpen] = useState<PendingRosterChange | null>(null);
  const withdrawing = useMutation({
    mutationFn: async (digest: string) => {
      if (!isDigest(digest)) throw new TypeError('The console named no change.');
      return actionValue(await withdrawCeremony({ digest }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.pendingRosters }),
  });
  const fault = refusalOf(withdrawing.error);
  const nameOf = (id: string) => people?.people.find((one) => one.id === id)?.name ?? id;
  if (data === undefined || data.pending.length === 0) return null;
  return (
    <Section title="Changes of the roster that wait" note={`${data.pending.length}`}>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It still waits.</Band>}
      <ul className="findings">
        {data.pending.map((one) => (
          <li key={one.digest}>
            <b>{rosterChangeWords(one.change, nameOf)}</b>
            <span>{one.signed.length} of {one.needed} signed{one.signed.length === 0 ? '' : `: ${one.signed.join(', ')}`}; begun by {one.started_by}, <Time at={one.at} /></span>
            <span className="flex gap-2">
              <Button small onClick={() => withdrawing.mutate(one.digest)} aria-label={`Withdraw: ${rosterChangeWords(one.change, nameOf)}`}>Withdraw</Button>
              <Button small kind="primary" onClick={() => setOpen(one)} icon={<Icon name="key" small />}>Look and sign</Button>
            </span>
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <RosterDialog
          title={rosterChangeWords(open.change, nameOf)} change={open.change} at={open.at} person={person} onClose={() => setOpen(null)}
          lines={[{ label: 'Signed', value: `${open.signed.length} of ${open.needed}: ${open.signed.join(', ')}` }, { label: 'Begun by', value: open.started_by }]}
        />
      )}
    </Section>
  );
}
