'use client';

import { useState } from 'react';

import { RosterDialog } from '@/components/signing/roster-dialog';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { roles, type Role } from '@/lib/authority/roles';
import type { PersonView } from '@/lib/contracts/console/people';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { PersonId } from '@/lib/shared/ids';

interface MembershipDialogProps {
  readonly person: PersonView;
  readonly known: readonly string[];
  readonly signer: PersonId;
  readonly onClose: () => void;
}

/** Roles and groups of one person; then the roster that says so, to sign. */
export function MembershipDialog({ person, known, signer, onClose }: MembershipDialogProps) {
  const [held, setHeld] = useState<readonly Role[]>(person.roles.length === 0 ? ['approver'] : person.roles);
  const [groups, setGroups] = useState(person.groups.join(', '));
  const [signing, setSigning] = useState(false);
  const list = groups.split(/[\s,]+/).filter(Boolean);
  const change: RosterChange = { kind: person.in_roster ? 'set_person' : 'add_person', person: person.id, roles: [...held], groups: list };
  if (signing) {
    return (
      <RosterDialog
        title={person.in_roster ? `Change the roles of ${person.name}` : `Add ${person.name}`} change={change} person={signer} onClose={onClose}
        lines={[{ label: 'Person', value: `${person.name}, ${person.email}` }, { label: 'Roles', value: held.join(', ') || 'none' }, { label: 'Groups', value: list.join(', ') || 'none' }]}
      />
    );
  }
  return (
    <Dialog
      open title={person.in_roster ? `Roles of ${person.name}` : `Add ${person.name} to the roster`} description="Somebody may hold several roles. Who approves what is routed by group."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={() => setSigning(true)}>Go on to sign</Button></>}
    >
      <fieldset className="reasons">
        <legend className="meta">Roles</legend>
        {roles.map((role) => (
          <label key={role}><input className="check" type="checkbox" checked={held.includes(role)} onChange={(event) => setHeld(event.target.checked ? [...held, role] : held.filter((one) => one !== role))} />{role}</label>
        ))}
      </fieldset>
      <Field label="Groups" hint={known.length === 0 ? 'As the policy names them, with commas between.' : `With commas between. In use: ${known.join(', ')}.`}>
        {(control) => <Input {...control} value={groups} onChange={(event) => setGroups(event.target.value)} />}
      </Field>
    </Dialog>
  );
}
