'use client';

import { useState } from 'react';

import { Digest } from '@/components/ui/digest';
import { Field, TextArea } from '@/components/ui/field';
import { StatementList } from '@/components/ui/statement-list';
import { refusalOf } from '@/lib/client/action-fault';
import { useLive } from '@/lib/client/live-provider';
import { useSigningKey } from '@/lib/client/use-signing-key';
import { bounds } from '@/lib/shared/bounds';
import type { PersonId } from '@/lib/shared/ids';

import { ExactBytes } from './exact-bytes';
import { grantOfText } from './grant-of-text';
import { GrantTerms } from './grant-terms';
import { NoKeyHere } from './no-key-here';
import { SignDialog } from './sign-dialog';
import { SigningKeyLine } from './signing-key-line';
import { usePropose, type ProposedText } from './use-propose';

interface ProposeDialogProps {
  readonly person: PersonId;
  readonly proposed: ProposedText;
  readonly title: string;
  readonly reason?: string;
  readonly onProposed: (proposal: string) => void;
  readonly onClose: () => void;
}

/** What somebody asks for, with their reason and their signature. Nothing comes into force by it. */
export function ProposeDialog({ person, proposed, title, reason: first = '', onProposed, onClose }: ProposeDialogProps) {
  const [reason, setReason] = useState(first);
  const { state: live } = useLive();
  const signing = useSigningKey(person);
  const { prepared, proposing } = usePropose(person, proposed);
  const { key, why, asked, fault, load } = signing;
  const { data } = prepared;
  const grant = proposed.target === 'grant' ? grantOfText(proposed.text) : null;
  return (
    <SignDialog
      title={title} description="It is proved before anybody can sign it, and nothing changes until enough owners have."
      does="Sign and propose" gate={key === undefined ? 'No key here' : data === undefined ? 'Preparing' : undefined} busy={proposing.isPending} live={live === 'live'}
      fault={refusalOf(prepared.error) ?? refusalOf(proposing.error)} nothing="Nothing was proposed."
      onSign={() => { if (key !== undefined) proposing.mutate({ key, reason }, { onSuccess: ({ id }) => onProposed(id) }); }} onClose={onClose}
    >
      {asked && key === undefined ? <NoKeyHere person={person} fault={fault} why={why} onFile={load} /> : null}
      {grant === null ? null : <GrantTerms terms={grant} />}
      <StatementList lines={[
        grant === null
          ? { label: 'Text', value: `${proposed.text.replace(/\n$/, '').split('\n').length.toLocaleString('en')} lines, exactly as written` }
          : { label: 'Gives', value: 'nothing, until enough owners have signed this very document' },
        ...(data === undefined ? [] : [...(grant === null ? [{ label: 'On top of', value: data.base === null ? 'nothing' : `r${data.base.revision}` }] : []), { label: 'Digest', value: <Digest value={data.digest} /> }]),
      ]} />
      {data === undefined ? null : <ExactBytes text={data.statement.text} />}
      <Field label="Why" hint="Shown to owners as your words; nobody vouches for them.">{(control) => <TextArea {...control} className="w-full" rows={3} maxLength={bounds.reasonText} value={reason} onChange={({ target }) => setReason(target.value)} />}</Field>
      {key === undefined ? null : <SigningKeyLine signing={signing} />}
    </SignDialog>
  );
}
