'use client';

import { enrolKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { FilePick } from '@/components/ui/file-pick';
import { Icon } from '@/components/ui/icon';
import { refusalOf } from '@/lib/client/action-fault';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { PersonId } from '@/lib/shared/ids';

interface NoKeyHereProps {
  readonly person: PersonId;
  readonly fault: string | null;
  readonly onFile: (file: File) => void;
}

/** Says that this browser cannot sign for the viewer, and offers to change that. */
export function NoKeyHere({ person, fault, onFile }: NoKeyHereProps) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  if (enrolment.data?.state === 'waiting') {
    return <Band tone="warn" icon="key" title="Your key waits for an owner’s countersignature.">You can sign once an owner has signed it under Settings.</Band>;
  }
  return (
    <Band
      tone="warn" icon="key" title="No key of yours is in this browser."
      action={<Button small onClick={() => enrolment.mutate()} offBecause={enrolment.isPending ? 'Enrolling' : undefined} icon={<Icon name="key" small />}>Make and enrol a key</Button>}
    >
      {refusal === null ? (fault ?? 'You sign with a key that lives in one browser only and that nobody can copy out of it.') : `${refusal.title}. ${refusal.detail} ${refusal.fix ?? ''}`} <FilePick label="Use a key file" accept=".pem,.key,text/*" onPick={onFile} />
    </Band>
  );
}
