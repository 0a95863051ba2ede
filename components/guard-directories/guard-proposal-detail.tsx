'use client';

import { useState } from 'react';

import { NoKeyHere } from '@/components/signing/no-key-here';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { Patch } from '@/components/ui/patch';
import { UnverifiedQuote } from '@/components/ui/quote';
import { Ring } from '@/components/ui/ring';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { DecisionBar } from '@/components/layout/decision-bar';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import { refusalOf } from '@/lib/client/action-fault';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { GuardCard, GuardDirectoriesView, PreparedGuardSigning } from '@/lib/contracts/console/guard-directories';
import type { PersonId } from '@/lib/shared/ids';

import { GuardRejectDialog } from './guard-reject-dialog';
import { GuardSignDialog } from './guard-sign-dialog';
import { useGuardProposal } from './use-guard-proposal';

interface GuardProposalDetailProps {
  readonly card: GuardCard;
  readonly view: GuardDirectoriesView;
  readonly person: PersonId;
  readonly maySign: boolean;
}

/** One proposal of a directory: what it adds, to what, who asked, and the signature that lets it in. */
export function GuardProposalDetail({ card, view, person, maySign }: GuardProposalDetailProps) {
  const [open, setOpen] = useState<PreparedGuardSigning | 'reject' | null>(null);
  const { preparing, signing, rejecting } = useGuardProposal(card);
  const own = useSigningKey(person, 'policy');
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const directory = view.directories.find(({ name }) => name === card.directory);
  const live = card.end === null;
  const mayDecide = live && maySign && view.may_sign && directory?.owned === true;
  const fault = refusalOf(preparing.error);
  const prepare = () => preparing.mutate(undefined, { onSuccess: setOpen });
  useShortcuts(mayDecide && open === null ? { s: prepare, r: () => setOpen('reject') } : {});
  const close = () => { signing.reset(); rejecting.reset(); setOpen(null); };

  return (
    <>
      <DetailPane
        labelledBy="guard-proposal-title"
        head={
          <ItemHead
            back={{ href: '/policies/guards', label: 'Guard directories' }} tags={<><b>{endWords(card)}</b><span className="kind kind-loose">Loosens</span></>} titleId="guard-proposal-title"
            title={<>Allow <code><UntrustedText text={card.permission} /></code> in {card.directory}</>} summary={<>Taken up <Time at={card.at} />. A file written by uid {card.uid}, {Number(card.uid) === directory?.owner_uid ? 'the directory’s own owner' : 'who may not change the allowlist'}.</>}
          />
        }
        bar={mayDecide ? (
          <DecisionBar
            mark={<Ring signed={card.signed.length} of={card.needed} large />}
            statement={<>You sign for this file <Digest value={card.digest} length="tiny" /> on revision {card.base.revision}, and nothing else.</>}
            covers={card.signed_by_me ? 'You have signed. It is applied when enough owners have, and its cool-off is over.' : `${card.needed} ${card.needed === 1 ? 'owner' : 'owners'} must sign. Rejecting needs no signature.`}
          >
            <Button kind="deny" hint="R" onClick={() => setOpen('reject')}>Reject</Button>
            <Button kind="primary" hint="S" onClick={prepare} icon={<Icon name="key" />} gatedBy={card.signed_by_me ? 'Signed' : key === undefined ? 'No key here' : undefined} offBecause={preparing.isPending ? 'Preparing' : undefined}>Sign and apply</Button>
          </DecisionBar>
        ) : undefined}
      >
        {mayDecide && key === undefined && asked ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was signed. {fault.fix}</Band>}
        {live && directory?.owned === false ? <Band title="The console does not run as the owner of this directory." role="note">It is applied by the owner’s own command.</Band> : null}
        {card.end === null ? null : <EndBand card={card} />}
        <Section title="What changes" note="one line is added, nothing is taken away">
          {live && directory?.digest === card.base.digest
            ? <Patch before={listText(directory.permissions)} after={listText([...directory.permissions, card.permission].sort())} file="allowlist" />
            : <p>Adds <code><UntrustedText text={card.permission} /></code> to the allowlist of revision {card.base.revision}.</p>}
          <p className="meta2 mt-2">Not proved: what the operation of this name does once it is allowed. The list holds names.</p>
        </Section>
        <Section title="Who asks"><UnverifiedQuote by={`uid ${card.uid}’s stated reason`} text={card.reason} /></Section>
        <Section title="Written on" note={live && directory?.digest === card.base.digest ? 'the allowlist in force' : undefined}>
          <FactsList
            facts={[
              { label: 'Revision', value: `r${card.base.revision}` },
              { label: 'Allowlist', value: <Digest value={card.base.digest} copy /> },
              { label: 'File', value: <Digest value={card.digest} copy /> },
              { label: 'Says it was asked', value: <UntrustedText text={card.requested_at} /> },
              ...card.signed.map(({ name, at }) => ({ label: 'Signed', value: <>{name}, <Time at={at} /></> })),
            ]}
          />
        </Section>
        <Section title="The file" note="byte for byte"><pre className="code json" tabIndex={0}><span className="l"><UntrustedText text={card.text} /></span></pre></Section>
      </DetailPane>
      {open === 'reject' ? <GuardRejectDialog card={card} busy={rejecting.isPending} fault={refusalOf(rejecting.error)} onReject={(reason) => rejecting.mutate(reason, { onSuccess: close })} onClose={close} /> : null}
      {open !== null && open !== 'reject' && key !== undefined ? <GuardSignDialog card={card} prepared={open} signing={own} busy={signing.isPending} fault={refusalOf(signing.error)} onSign={() => signing.mutate({ prepared: open, key }, { onSuccess: close })} onClose={close} /> : null}
    </>
  );
}

const listText = (permissions: readonly string[]): string => permissions.map((one) => `${one}\n`).join('');

function endWords({ state, end }: GuardCard): string {
  switch (state) {
    case 'open':
      return 'Waiting';
    case 'signed':
      return 'Signed, waiting';
    case 'applied':
      return end?.revision === null || end === null ? 'Applied' : `Applied as r${end.revision}`;
    case 'rejected':
      return 'Rejected';
    case 'withdrawn':
      return 'Withdrawn';
    case 'stale':
      return 'Stale';
  }
}

function EndBand({ card: { state, end } }: { readonly card: GuardCard }) {
  if (end === null) return null;
  const by = end.by === 'console' ? 'the console, as the directory says' : end.by;
  return (
    <Band title={<>{state === 'applied' ? 'Applied' : `${state.charAt(0).toUpperCase()}${state.slice(1)}`} by {by}, <Time at={end.at} />.</>} role="note">
      {end.reason === null ? null : <>“<UntrustedText text={end.reason} />” </>}<a className="link" href={`/receipts?receipt=${end.receipt}`}>Its receipt</a>
    </Band>
  );
}
