'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { OwnerKey } from '@/lib/authority/trust-root';
import type { TrustView } from '@/lib/contracts/console/trust';

import { kindWords } from './kind-words';

interface OwnersDialogProps {
  readonly view: TrustView;
  readonly onChange: (change: TrustRootChange) => void;
  readonly onClose: () => void;
}

/** Every key that could be an owner's: those of the root, and those that people have enrolled. A key comes in by enrolment first, so that none is mistyped. */
export function OwnersDialog({ view, onChange, onClose }: OwnersDialogProps) {
  const choices = choicesOf(view);
  const [chosen, setChosen] = useState<readonly string[]>(view.root.owners.map(({ key }) => key.id));
  const owners = choices.filter(({ owner }) => chosen.includes(owner.key.id)).map(({ owner }) => owner);
  const same = owners.length === view.root.owners.length && view.root.owners.every(({ key }) => chosen.includes(key.id));
  return (
    <Dialog
      open title="Change the owners" description="An owner’s key signs policies, rosters and the next trust root. Removing the last key of somebody ends their word at once."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={() => onChange({ owners })} gatedBy={owners.length === 0 ? 'Keep one owner' : same ? 'Change something' : undefined}>Go on to sign</Button></>}
    >
      <fieldset className="reasons">
        <legend className="meta">Keys</legend>
        {choices.map(({ owner: { key }, name }) => (
          <label key={key.id}>
            <input className="check" type="checkbox" checked={chosen.includes(key.id)} onChange={(event) => setChosen(event.target.checked ? [...chosen, key.id] : chosen.filter((one) => one !== key.id))} />
            <span>{name}, {kindWords[key.kind] ?? key.kind} <code>{key.id.slice(0, 8)}</code></span>
          </label>
        ))}
      </fieldset>
      <p className="meta mt-4">Somebody who is not listed has no key yet: they enrol one under Settings, and an owner countersigns it.</p>
    </Dialog>
  );
}

function choicesOf({ root, people, owners }: TrustView): readonly { readonly owner: OwnerKey; readonly name: string }[] {
  const listed = root.owners.map((owner) => ({ owner, name: owners.find(({ person }) => person === owner.person)?.name ?? owner.person }));
  const more = people.flatMap(({ person, name, keys }) => keys.filter(({ id }) => !root.owners.some(({ key }) => key.id === id)).map((key) => ({ owner: { person, key }, name })));
  return [...listed, ...more];
}
