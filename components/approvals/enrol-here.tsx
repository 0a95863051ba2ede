'use client';

import { enrolKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { refusalOf } from '@/lib/client/action-fault';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { PersonId } from '@/lib/shared/ids';

/** Says that this browser cannot sign for the viewer, and offers to change that. Denying goes on without it. */
export function EnrolHere({ person, elsewhere, waiting }: { readonly person: PersonId; readonly elsewhere: boolean; readonly waiting: boolean }) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  if (waiting || enrolment.data?.state === 'waiting') {
    return <Band tone="warn" icon="key" title="Your key waits for an owner’s countersignature.">You can deny now, and approve once an owner has signed it under Settings.</Band>;
  }
  return (
    <Band
      tone="warn"
      icon="key"
      title={elsewhere ? 'Your key is in another browser.' : 'You have no key in this browser.'}
      action={<Button small onClick={() => enrolment.mutate()} offBecause={enrolment.isPending ? 'Enrolling' : undefined} icon={<Icon name="key" small />}>{elsewhere ? 'Enrol this browser too' : 'Make and enrol a key'}</Button>}
    >
      {refusal === null
        ? 'Denying works. To approve, you sign with a key that lives in this browser only and that nobody can copy out of it.'
        : `${refusal.title}. ${refusal.detail} ${refusal.fix ?? ''}`}
    </Band>
  );
}
