'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { changePassword } from '@/app/actions/people';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Section } from '@/components/ui/section';
import { actionValue, refusalOf } from '@/lib/client/action-fault';

export function PasswordForm() {
  const [draft, setDraft] = useState({ current: '', next: '' });
  const changing = useMutation({ mutationFn: async () => actionValue(await changePassword(draft)), onSuccess: () => setDraft({ current: '', next: '' }) });
  const fault = refusalOf(changing.error);
  return (
    <Section title="Password" note="it opens the console and signs nothing">
      <form className="max-w-md" onSubmit={(event) => { event.preventDefault(); if (!changing.isPending) changing.mutate(); }}>
        <Field label="Current password">{(control) => <Input {...control} type="password" required autoComplete="current-password" value={draft.current} onChange={(event) => setDraft({ ...draft, current: event.target.value })} />}</Field>
        <Field label="New password" hint="At least 12 characters.">{(control) => <Input {...control} type="password" required minLength={12} autoComplete="new-password" value={draft.next} onChange={(event) => setDraft({ ...draft, next: event.target.value })} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} The old one still holds. {fault.issues.map(({ message }) => message).join(' ')}</Band>}
        {changing.isSuccess ? <Band icon="check" title="Changed.">Use the new one from now on.</Band> : null}
        <p className="mt-5"><Button type="submit" offBecause={changing.isPending ? 'Changing' : undefined}>Change the password</Button></p>
      </form>
    </Section>
  );
}
