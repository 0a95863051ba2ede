'use client';

import { prepareSwitchRelease, releaseSwitch } from '@/app/actions/switches';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import type { SwitchView } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';

import { coveredBy } from './covered-by';
import { OwnersWordDialog } from './owners-word-dialog';

interface ReleaseDialogProps {
  readonly thrown: SwitchView;
  readonly person: PersonId;
  readonly onClose: () => void;
}

/** An owner’s signature over exactly the throw that it ends. */
export function ReleaseDialog({ thrown, person, onClose }: ReleaseDialogProps) {
  const { scope, subject } = thrown;
  return (
    <OwnersWordDialog
      person={person} title={`Release ${coveredBy(thrown)}?`} description="From then on policy decides again. What was stopped stays stopped: agents propose it anew."
      does="Sign and release" nothing="Nothing was released." about={['switch-release', scope, subject]}
      lines={[
        { label: 'Release', value: coveredBy(thrown) },
        { label: 'Thrown by', value: <>{thrown.thrown_by}, <Time at={thrown.thrown_at} form="date" /></> },
        { label: 'Because', value: thrown.reason === null ? 'no receipt says why' : <UntrustedText text={thrown.reason} /> },
      ]}
      prepare={() => prepareSwitchRelease({ scope, subject })} send={(signed) => releaseSwitch({ scope, subject, ...signed })} onClose={onClose}
    />
  );
}
