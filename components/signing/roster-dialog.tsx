'use client';

import { useQuery } from '@tanstack/react-query';

import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { LoadingRows } from '@/components/ui/pane-states';
import { StatementList, type StatementLine } from '@/components/ui/statement-list';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { useSigningKey } from '@/lib/client/use-signing-key';
import { prepareRosterChange } from '@/app/actions/roster';
import type { RosterChange, RosterChangeOutcome } from '@/lib/contracts/console/roster';
import type { PersonId } from '@/lib/shared/ids';

import { useRosterChange } from './use-roster-change';

interface RosterDialogProps {
  readonly change: RosterChange;
  readonly title: string;
  readonly lines: readonly StatementLine[];
  /** Who signs. */
  readonly person: PersonId;
  readonly onClose: () => void;
  /** When it is in force; without it the dialog only closes. */
  readonly onSigned?: (outcome: RosterChangeOutcome) => void;
  /** Of a change that waits: the same time gives the same roster. */
  readonly at?: string;
}

/** One change of the roster: in words, the whole new roster, and the owner's signature. */
export function RosterDialog({ change, title, lines, person, onClose, onSigned = onClose, at }: RosterDialogProps) {
  const { signing } = useRosterChange();
  const keys = useSigningKey(person, 'policy');
  const signer = keys.key;
  const prepared = useQuery({
    queryKey: ['roster-change', change, at],
    queryFn: async () => actionValue(await prepareRosterChange({ change, ...(at === undefined ? {} : { at }) })),
    staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false,
  });
  const fault = refusalOf(prepared.error) ?? refusalOf(signing.error);
  const gate = signer === undefined ? 'No key here' : prepared.data === undefined ? 'Preparing' : undefined;

  function sign() {
    if (prepared.data && signer) signing.mutate({ prepared: prepared.data, key: signer }, { onSuccess: onSigned });
  }

  return (
    <Dialog
      open sealed busy={signing.isPending} title={title} description="An owner’s signature on the whole roster. Nothing in the database can do the same."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" onClick={sign} gatedBy={gate} offBecause={signing.isPending ? 'Signing' : undefined} icon={<Icon name="key" />}>Sign the roster</Button></>}
    >
      <StatementList lines={[...lines, ...(prepared.data === undefined ? [] : [{ label: 'Roster', value: `version ${prepared.data.version}` }])]} />
      {prepared.data === undefined ? (fault === null ? <LoadingRows what="the roster" rows={2} /> : null) : (
        <details className="mt-2"><summary className="link">Read the whole roster</summary><pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={prepared.data.roster.text} /></span></pre></details>
      )}
      <SigningKeyLine signing={keys} signatures={prepared.data !== undefined && prepared.data.enrolment_envelope !== null ? 2 : 1} />
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The roster is unchanged. {fault.fix}</Band>}
    </Dialog>
  );
}
