'use client';

import { ExactBytes } from '@/components/signing/exact-bytes';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { SignDialog } from '@/components/signing/sign-dialog';
import { GrantTerms } from '@/components/signing/grant-terms';
import { refusalOf } from '@/lib/client/action-fault';
import { sha256 } from '@/lib/client/hash';
import { useLive } from '@/lib/client/live-provider';
import { useSigningKey } from '@/lib/client/use-signing-key';
import { readGrant } from '@/lib/authority/verify-grant';
import type { DocumentToSign } from '@/lib/contracts/console/set-up';
import { toBase64, utf8 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';

import { useGrants } from './use-grants';

interface GrantSignDialogProps {
  readonly document: DocumentToSign;
  readonly neededSigners: number;
  readonly person: PersonId;
  readonly onClose: () => void;
}

/** An owner’s signature on a grant. What is shown is read from the very text that is signed. */
export function GrantSignDialog({ document, neededSigners, person, onClose }: GrantSignDialogProps) {
  const { signing } = useGrants();
  const live = useLive().state !== 'lost';
  const own = useSigningKey(person, 'policy');
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const read = readGrant({ payloadType: document.payload_type, payload: toBase64(utf8(document.text)), signatures: [] }, { sha256 });
  const gate = key === undefined ? 'No key here' : read.ok ? undefined : 'Unreadable';
  return (
    <SignDialog
      title="Sign this grant" description="It lets the agent use the tool where policy asks for a grant. It never overrides a rule that denies, holds back or forbids."
      does={neededSigners > 1 ? 'Add my signature' : 'Sign and issue'} gate={gate} busy={signing.isPending} live={live} fault={refusalOf(signing.error)} nothing="Nothing was granted."
      onSign={() => { if (key !== undefined && read.ok) signing.mutate({ document, key }, { onSuccess: onClose }); }}
      onClose={onClose}
    >
      {asked && key === undefined ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      {read.ok ? <GrantTerms terms={{ ...read.value.terms, reason: read.value.terms.reason ?? null }} replaces={read.value.terms.replaces !== undefined} /> : <p className="bad">The document can’t be read. Sign nothing.</p>}
      {neededSigners > 1 ? <p className="meta">{neededSigners} owners have to sign. Until then it gives nothing.</p> : null}
      <ExactBytes text={document.text} />
      {key === undefined ? null : <SigningKeyLine signing={own} />}
    </SignDialog>
  );
}
