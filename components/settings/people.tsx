'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { RosterDialog } from '@/components/signing/roster-dialog';
import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Table, Th } from '@/components/ui/table';
import { shownFault } from '@/lib/client/parse-answer';
import { peopleQuery } from '@/lib/client/queries';
import type { PersonView } from '@/lib/contracts/console/people';
import type { PersonId } from '@/lib/shared/ids';

import { InviteDialog } from './invite-dialog';
import { MembershipDialog } from './membership-dialog';
import { SuspendDialog } from './suspend-dialog';

interface PeopleProps {
  readonly person: PersonId;
  readonly maySign: boolean;
  readonly mayInvite: boolean;
  readonly maySuspend: boolean;
}

/** Everybody with an account, and what the signed roster gives them. */
export function People({ person, maySign, mayInvite, maySuspend }: PeopleProps) {
  const { data, error } = useQuery(peopleQuery());
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<PersonView | null>(null);
  const [suspending, setSuspending] = useState<PersonView | null>(null);
  const [signing, setSigning] = useState<{ readonly person: PersonView; readonly kind: 'restore_person' | 'remove_person' } | null>(null);
  const groups = [...new Set((data?.people ?? []).flatMap((one) => one.groups))].sort();
  return (
    <Section title="People" note={mayInvite ? <Button small onClick={() => setInviting(true)}>Invite</Button> : undefined}>
      {error === null ? null : <ErrorState title="The people could not be read." code={shownFault(error).code}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="people" rows={4} /> : null) : (
        <div className="scroll-x" tabIndex={0} role="group" aria-label="People">
          <Table caption="People" className="stacked">
            <thead><tr><Th>Person</Th><Th>Roles</Th><Th>Groups</Th><Th>Keys</Th><Th>State</Th><Th><span className="vh">Change</span></Th></tr></thead>
            <tbody>
              {data.people.map((one) => (
                <tr key={one.id}>
                  <td><b>{one.name}</b> <span className="t3">{one.email}</span></td>
                  <td data-label="Roles">{one.roles.length === 0 ? '–' : one.roles.join(', ')}</td>
                  <td data-label="Groups">{one.groups.length === 0 ? '–' : one.groups.join(', ')}</td>
                  <td data-label="Keys">{one.keys.length}</td>
                  <td data-label="State">{one.suspended ? <b className="bad">Suspended</b> : one.in_roster ? 'In the roster' : 'Not in the roster'}</td>
                  <td className="right row-do">
                    <span className="inline-flex flex-wrap justify-end gap-2">
                      {maySign && one.suspended && one.in_roster ? <Button small onClick={() => setSigning({ person: one, kind: 'restore_person' })} aria-label={`Let back in ${one.name}`}>Let back in</Button> : null}
                      {maySign && one.in_roster && one.id !== person ? <Button small onClick={() => setSigning({ person: one, kind: 'remove_person' })} aria-label={`Take out ${one.name}, from the roster`}>Take out</Button> : null}
                      {maySign && !one.suspended ? <Button small onClick={() => setEditing(one)} aria-label={`${one.in_roster ? 'Roles' : 'Add to roster'}: ${one.name}`}>{one.in_roster ? 'Roles' : 'Add to roster'}</Button> : null}
                      {maySuspend && !one.suspended && one.id !== person ? <Button small onClick={() => setSuspending(one)} aria-label={`Suspend ${one.name}`}>Suspend</Button> : null}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      {editing === null ? null : <MembershipDialog person={editing} known={groups} signer={person} onClose={() => setEditing(null)} />}
      {signing === null ? null : (
        <RosterDialog
          title={signing.kind === 'restore_person' ? `Let ${signing.person.name} back in` : `Take ${signing.person.name} out of the roster`} change={{ kind: signing.kind, person: signing.person.id }} person={person} onClose={() => setSigning(null)}
          lines={[{ label: 'Person', value: `${signing.person.name}, ${signing.person.email}` }, { label: 'Then', value: signing.kind === 'restore_person' ? 'They sign in again, with the roles and keys that the roster lists.' : 'Their roles, groups and keys count no longer.' }]}
        />
      )}
      {suspending === null ? null : <SuspendDialog person={suspending} onClose={() => setSuspending(null)} />}
    </Section>
  );
}
