'use client';

import { enrolKey } from '@/app/actions/keys';
import { Band } from '@/components/ui/band';
import { FilePick } from '@/components/ui/file-pick';
import { refusalOf } from '@/lib/client/action-fault';
import { useEnrolment } from '@/lib/client/use-enrolment';
import type { PersonId } from '@/lib/shared/ids';
import type { KeyKind } from '@/lib/shared/keys';

import { EnrolButtons } from './enrol-buttons';

interface NoKeyHereProps {
  readonly person: PersonId;
  readonly fault: string | null;
  /** Why no key of this browser will do, and where the one is that would. */
  readonly why?: string | null;
  /** Kinds of a new key that could sign this: empty where the trust root has to list it first. */
  readonly kinds?: readonly KeyKind[] | undefined;
  readonly onFile: (file: File) => void;
}

const newKeys = 'A passkey asks you each time, on your device or security key. A browser key lives in this browser only; nobody can copy it out.';
const inTheRoot = 'Owners’ keys stand in the trust root: a new one signs this once owners have taken it in, under Settings, Trust.';

/** Says that this browser cannot sign for the viewer, and offers to change that. */
export function NoKeyHere({ person, fault, why = null, kinds, onFile }: NoKeyHereProps) {
  const enrolment = useEnrolment(person, enrolKey);
  const refusal = refusalOf(enrolment.error);
  if (enrolment.data?.state === 'waiting') {
    return <Band tone="warn" icon="key" title="Your key waits for an owner’s countersignature.">You can sign once an owner has signed it under Settings.</Band>;
  }
  return (
    <Band
      tone="warn" icon="key" title={why ?? 'No key of yours is in this browser.'}
      action={kinds?.length === 0 ? undefined : <EnrolButtons kinds={kinds} busy={enrolment.isPending} onEnrol={(kind) => enrolment.mutate(kind)} />}
    >
      {refusal === null ? (fault ?? (kinds?.length === 0 ? inTheRoot : newKeys)) : `${refusal.title}. ${refusal.detail} ${refusal.fix ?? ''}`} <FilePick label="Use a key file" accept=".pem,.key,text/*" onPick={onFile} />
    </Band>
  );
}
