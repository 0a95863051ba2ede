'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { throwSwitch } from '@/app/actions/switches';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { Dialog } from '@/components/ui/dialog';
import { Field, TextArea } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';

export type SwitchSubject = { readonly scope: 'all' | 'agent' | 'tool'; readonly subject: string };

/** The kill switch: immediate, by one person, with a reason. */
export function SwitchDialog({ subject: { scope, subject }, onClose }: { readonly subject: SwitchSubject; readonly onClose: () => void }) {
  const client = useQueryClient();
  const form = useId();
  const [reason, setReason] = useState('');
  const throwing = useMutation({
    mutationFn: async () => actionValue(await throwSwitch({ scope, subject, reason: reason.trim() })),
    onSettled: () => Promise.all([queryKeys.agents, queryKeys.status, queryKeys.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
    onSuccess: onClose,
  });
  const fault = refusalOf(throwing.error);
  const what = scope === 'all' ? 'everything' : subject;
  return (
    <Dialog
      open busy={throwing.isPending} title={`Stop ${what} now?`} description="Every action it covers is denied at once, permits that are out included. Only an owner’s signature releases it."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" type="submit" form={form} gatedBy={reason.trim() === '' ? 'Say why' : undefined} offBecause={throwing.isPending ? 'Stopping' : undefined} icon={<DecisionMark decision="DENY" label={null} />}>Stop {what}</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!throwing.isPending && reason.trim() !== '') throwing.mutate(); }}>
        <Field label="Reason" hint="It goes into the receipt.">{(control) => <TextArea {...control} rows={2} maxLength={4000} value={reason} onChange={(event) => setReason(event.target.value)} />}</Field>
        {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was stopped. {fault.fix}</Band>}
      </form>
    </Dialog>
  );
}
