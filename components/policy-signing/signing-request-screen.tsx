'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { signPolicyRequest } from '@/app/actions/policy-signing';
import { Page } from '@/components/layout/board';
import { NoKeyHere } from '@/components/signing/no-key-here';
import { SignDialog } from '@/components/signing/sign-dialog';
import { SigningKeyLine } from '@/components/signing/signing-key-line';
import { ExactBytes } from '@/components/signing/exact-bytes';
import { Band } from '@/components/ui/band';
import { Button, ButtonLink } from '@/components/ui/button';
import { Digest } from '@/components/ui/digest';
import { FactsList } from '@/components/ui/facts-list';
import { Icon } from '@/components/ui/icon';
import { Patch } from '@/components/ui/patch';
import { EmptyState } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { StatementList } from '@/components/ui/statement-list';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { sha256 } from '@/lib/client/hash';
import { signDocument } from '@/lib/client/sign-document';
import { signHere } from '@/lib/client/sign-here';
import { useLive } from '@/lib/client/live-provider';
import { useSigningKey } from '@/lib/client/use-signing-key';
import type { SigningRequestView } from '@/lib/contracts/console/signing-requests';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';

interface SigningRequestScreenProps {
  readonly link: string;
  readonly request: SigningRequestView;
  readonly person: PersonId;
}

const titles = { sign: 'Sign a policy file', apply: 'Sign and apply a policy file', rollback: 'Roll the policy back' } as const;

/** A policy that a command holds: its text, what it changes, and the owner's signature. */
export function SigningRequestScreen({ link, request, person }: SigningRequestScreenProps) {
  const [open, setOpen] = useState(false);
  const { state: live } = useLive();
  const own = useSigningKey(person, 'policy');
  const { key, asked, why, kinds, fault: keyFault, load } = own;
  const { purpose, name, text, digest, policy, place, in_force: inForce } = request;
  const same = digestOf(sha256, utf8(text)) === digest && policy.text === text;
  const signing = useMutation({
    mutationFn: async () => {
      if (key === undefined) throw new Error('There is no key.');
      const [signature, statement] = await signHere(key, (signer) => Promise.all([signDocument(policy, signer), place === null ? null : signDocument(place, signer)]));
      return actionValue(await signPolicyRequest({ link, signature, statement }));
    },
    onSuccess: () => setOpen(false),
  });
  const lines = [
    { label: purpose === 'rollback' ? 'Brings back' : 'File', value: purpose === 'rollback' ? `the text of r${request.restores ?? ''}` : name },
    { label: 'Digest, computed here', value: <Digest value={digest} /> },
    ...(place === null ? [] : [{ label: 'Becomes', value: `r${(inForce?.revision ?? 0) + 1}, at once when enough owners have signed` }]),
    ...(request.reason === null ? [] : [{ label: 'Reason', value: request.reason }]),
  ];
  return (
    <Page title={titles[purpose]} lead="A command on the host asks for it. Compare the digest with the one that it printed.">
      {signing.data === undefined ? null : <Signed result={signing.data} />}
      {same ? null : <Band tone="deny" icon="stale" role="alert" title="This is not the text that its digest names.">Sign nothing.</Band>}
      {key === undefined && asked ? <NoKeyHere person={person} fault={keyFault} why={why} kinds={kinds} onFile={load} /> : null}
      <Section title={purpose === 'rollback' ? `Text of r${request.restores ?? ''}` : name} note={<>open until <Time at={request.expires_at} form="date" /></>}>
        <FactsList facts={[
          { label: 'Lines', value: text.replace(/\n$/, '').split('\n').length.toLocaleString('en') },
          { label: 'Digest, computed here', value: <Digest value={digest} copy /> },
          ...(request.reason === null ? [] : [{ label: 'Reason', value: request.reason }]),
          { label: 'Signed here', value: request.signers.length === 0 ? 'nobody yet' : request.signers.join(', ') },
        ]} />
        {signing.data === undefined ? <p className="mt-4"><Button kind="primary" icon={<Icon name="key" />} onClick={() => setOpen(true)} gatedBy={!same ? 'Sign nothing' : key === undefined ? 'No key here' : undefined}>Look and sign</Button></p> : null}
      </Section>
      <Section title="What it changes" note={inForce === null ? 'nothing is in force' : `against r${inForce.revision}`}><Patch before={inForce?.text ?? ''} after={text} file={name} /></Section>
      {open ? (
        <SignDialog
          title={titles[purpose]} description={place === null ? 'Your signature on these exact bytes. The command writes it beside the file; nothing comes into force by it.' : 'From then on every action is decided by it.'}
          does="Sign" gate={key === undefined ? 'No key here' : undefined} busy={signing.isPending} live={live === 'live'} fault={refusalOf(signing.error)} nothing="Nothing was signed."
          onSign={() => signing.mutate()} onClose={() => { signing.reset(); setOpen(false); }}
        >
          <StatementList lines={lines} />
          {place === null ? null : <ExactBytes text={place.text} />}
          <SigningKeyLine signing={own} signatures={place === null ? 1 : 2} />
        </SignDialog>
      ) : null}
    </Page>
  );
}

function Signed({ result }: { readonly result: { readonly state: 'signed' | 'waiting' } | { readonly state: 'in_force'; readonly revision: number } }) {
  switch (result.state) {
    case 'signed':
      return <Band icon="check" title="Signed.">The command writes the signature beside its file. You may close this page.</Band>;
    case 'waiting':
      return <Band icon="clock" title="Signed, and more owners have to.">They open the same link. Nothing is in force yet.</Band>;
    case 'in_force':
      return <Band icon="check" title={`r${result.revision} is in force.`} action={<ButtonLink small href={`/policies?revision=${result.revision}`}>Look at it</ButtonLink>}>The command goes on.</Band>;
  }
}

/** A link that leads nowhere. */
export function NoSigningRequest({ detail }: { readonly detail: string }) {
  return <Page title="Sign a policy" lead="Links of commands work once."><EmptyState title="There is nothing to sign here.">{detail} Run the command again: it prints a new one.</EmptyState></Page>;
}
