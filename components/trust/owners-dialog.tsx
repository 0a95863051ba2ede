'use client';

import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { TrustRootChange } from '@/lib/authority/change-trust-root';
import type { TrustView } from '@/lib/contracts/console/trust';

import { KeyChoices, keyChoices } from './key-choices';

interface OwnersDialogProps {
  readonly view: TrustView;
  readonly onChange: (change: TrustRootChange) => void;
  readonly onClose: () => void;
}

/** Whose keys are owners'. A key comes in by enrolment first, so that none is mistyped. */
export function OwnersDialog({ view, onChange, onClose }: OwnersDialogProps) {
  const choices = keyChoices(view);
  const [chosen, setChosen] = useState<readonly string[]>(view.root.owners.map(({ key }) => key.id));
  const owners = choices.filter(({ owner }) => chosen.includes(owner.key.id)).map(({ owner }) => owner);
  const same = owners.length === view.root.owners.length && view.root.owners.every(({ key }) => chosen.includes(key.id));
  return (
    <Dialog
      open title="Change the owners" description="An owner’s key signs policies, rosters and the next trust root. Removing the last key of somebody ends their word at once."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={() => onChange({ owners })} gatedBy={owners.length === 0 ? 'Keep one owner' : same ? 'Change something' : undefined}>Go on to sign</Button></>}
    >
      <KeyChoices legend="Keys" choices={choices} chosen={chosen} onChoose={setChosen} />
      <p className="meta mt-4">Somebody who is not listed has no key yet: they enrol one under Settings, and an owner countersigns it.</p>
    </Dialog>
  );
}
