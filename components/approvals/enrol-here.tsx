'use client';

import { enrolKey } from '@/app/actions/keys';
import { EnrolButtons } from '@/components/signing/enrol-buttons';
import { Band } from '@/components/ui/band';
import { refusalOf } from '@/lib/client/action-fault';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';

interface EnrolHereProps {
  readonly person: PersonId;
  /** Why no key of this browser will do, and where the one is that would. */
  readonly why: string;
  /** Kinds that may sign this. */
  readonly kinds: readonly KeyKind[] | undefined;
  readonly waiting: boolean;
}

/** Says that this browser cannot sign for the viewer, and offers to change that. Denying goes on without it. */
export function EnrolHere({ person, why, kinds, waiting }: EnrolHereProps) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  if (waiting || enrolment.data?.state === 'waiting') {
    return <Band tone="warn" icon="key" title="Your key waits for an owner’s countersignature.">You can deny now, and approve once an owner has signed it under Settings.</Band>;
  }
  return (
    <Band tone="warn" icon="key" title={why} action={<EnrolButtons kinds={kinds} busy={enrolment.isPending} onEnrol={(kind) => enrolment.mutate(kind)} />}>
      {refusal === null ? 'Denying works. To approve, you sign with a key of your own that nobody can copy.' : `${refusal.title}. ${refusal.detail} ${refusal.fix ?? ''}`}
    </Band>
  );
}
