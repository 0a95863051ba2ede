'use client';

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { mintCredential } from '@/app/actions/roster';
import { RosterDialog } from '@/components/signing/roster-dialog';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input, Select } from '@/components/ui/field';
import { vouchingKinds } from '@/lib/authority/roster';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import type { RosterChangeOutcome } from '@/lib/contracts/console/roster';
import type { PersonId } from '@/lib/shared/ids';

import { listWords, mintInput, scopeWords, vouchingWords, type CredentialDraft } from './credential-form';
import { TokenDialog } from './token-dialog';

interface AddCredentialDialogProps {
  readonly person: PersonId;
  readonly initial: CredentialDraft;
  /** True when another credential of this name exists: its successor overlaps with it. */
  readonly rotates: boolean;
  readonly onClose: () => void;
}

/** A credential whose word is believed: made here, listed by an owner's signature, its token shown once and only then. */
export function AddCredentialDialog({ person, initial, rotates, onClose }: AddCredentialDialogProps) {
  const form = useId();
  const [draft, setDraft] = useState(initial);
  const [signed, setSigned] = useState<RosterChangeOutcome | null>(null);
  const set = (part: Partial<CredentialDraft>) => setDraft((before) => ({ ...before, ...part }));
  const minting = useMutation({ mutationFn: async () => actionValue(await mintCredential(mintInput(draft))) });
  const { name, does, lists } = vouchingWords[draft.kind];
  const minted = minting.data;
  if (minted && signed) {
    const waits = signed.state === 'waiting' ? `It works as soon as ${signed.needed} owners have signed: the others find it under Settings.` : undefined;
    return <TokenDialog title={waits === undefined ? `${draft.subject} is in the signed roster` : `${draft.subject} waits for other owners`} token={minted.token} expiresAt={minted.change.kind === 'add_credential' ? minted.change.expires_at : undefined} where="I have put it where it is used." after={waits ?? (rotates ? 'The one before goes on working until it is revoked or taken out.' : undefined)} onClose={onClose} />;
  }
  if (minted) {
    return (
      <RosterDialog
        title={`Vouch for ${draft.subject}`} change={minted.change} person={person} onClose={onClose} onSigned={setSigned}
        lines={[{ label: name, value: draft.subject }, { label: 'For', value: scopeWords(mintInput(draft).scope) }, { label: 'Expires', value: `in ${draft.days} days` }, { label: 'Then', value: 'Its token is shown, this once.' }]}
      />
    );
  }
  const fault = refusalOf(minting.error);
  const issue = (path: string) => fault?.issues.find((one) => one.path.startsWith(path))?.message;
  return (
    <Dialog
      open busy={minting.isPending} title={rotates ? `A new credential for ${initial.subject}` : 'Add a credential that vouches'} description={does}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} offBecause={minting.isPending ? 'Making it' : undefined}>Go on to sign</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!minting.isPending) minting.mutate(); }}>
        <Field label="Kind">{(control) => (
          <Select {...control} disabled={rotates} value={draft.kind} onChange={(event) => { const kind = vouchingKinds.find((one) => one === event.target.value); if (kind) set({ kind }); }}>
            {vouchingKinds.map((kind) => <option key={kind} value={kind}>{vouchingWords[kind].name}</option>)}
          </Select>
        )}</Field>
        <Field label="Name" hint="As policies and receipts will name it: letters, digits, dots and dashes." error={issue('subject')}>{(control) => <Input {...control} required maxLength={64} readOnly={rotates} value={draft.subject} onChange={(event) => set({ subject: event.target.value })} />}</Field>
        {lists.map((list) => (
          <Field key={list} label={listWords[list].label} hint={listWords[list].hint} error={issue(`scope.${list}`)}>{(control) => <Input {...control} value={draft[list]} onChange={(event) => set({ [list]: event.target.value })} />}</Field>
        ))}
        <Field label="Days until it expires" error={issue('expires_in_days')}>{(control) => <Input {...control} type="number" min={1} max={366} required value={draft.days} onChange={(event) => set({ days: event.target.value })} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was made. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
