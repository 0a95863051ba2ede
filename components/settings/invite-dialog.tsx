'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { invitePerson } from '@/app/actions/people';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';

/** Makes an account with a first password. It may do nothing until an owner signs a roster that lists it. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useId();
  const [draft, setDraft] = useState({ name: '', email: '' });
  const inviting = useMutation({
    mutationFn: async () => actionValue(await invitePerson(draft)),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.people }),
  });
  const fault = refusalOf(inviting.error);
  const done = inviting.data;
  return (
    <Dialog
      open busy={inviting.isPending} title={done ? `${draft.name} is invited` : 'Invite somebody'}
      description={done ? 'Give them this first password by a way you trust. It is shown this once.' : 'They can sign in then, and do nothing until an owner adds them to the signed roster.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={done
        ? <Button kind="primary" onClick={onClose}>Done</Button>
        : <><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} offBecause={inviting.isPending ? 'Inviting' : undefined}>Invite</Button></>}
    >
      {done ? (
        <><p className="code recovery-code" tabIndex={0}>{done.first_password}</p><p className="mt-2"><CopyButton value={done.first_password} what="first password" labelled /></p></>
      ) : (
        <form id={form} onSubmit={(event) => { event.preventDefault(); if (!inviting.isPending) inviting.mutate(); }}>
          <Field label="Name">{(control) => <Input {...control} required maxLength={200} value={draft.name} onChange={(event) => setDraft({ ...draft, name: event.target.value })} />}</Field>
          <Field label="E-mail">{(control) => <Input {...control} type="email" required value={draft.email} onChange={(event) => setDraft({ ...draft, email: event.target.value })} />}</Field>
          {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nobody was invited. {fault.fix}</Band>}
        </form>
      )}
    </Dialog>
  );
}
