'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';

import { registerAgent } from '@/app/actions/agents';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { AgentView } from '@/lib/contracts/console/agents';
import type { ShownFault } from '@/lib/contracts/console/action-result';

import { TokenDialog } from './token-dialog';

interface RegisterDialogProps {
  /** An agent that is there already: it gets another credential. */
  readonly registered?: AgentView;
  readonly onClose: () => void;
}

/** Registers an agent, or gives one that is registered another credential, and shows the token this once. */
export function RegisterDialog({ registered, onClose }: RegisterDialogProps) {
  const client = useQueryClient();
  const form = useId();
  const [draft, setDraft] = useState({ agent: registered?.id ?? '', role: registered?.role ?? '', scope: registered?.scope.join(', ') ?? '', days: '90' });
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }));
  const registering = useMutation({
    mutationFn: async () =>
      actionValue(await registerAgent({ agent: draft.agent.trim(), role: draft.role.trim(), scope: draft.scope.split(/[\s,]+/).filter(Boolean), expires_in_days: Number(draft.days) })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.agents }),
  });
  if (registering.data) return <TokenDialog title={registered ? `${registering.data.agent} has another credential` : `${registering.data.agent} is registered`} token={registering.data.token} expiresAt={registering.data.expires_at} where="I have put it where the agent reads it." onClose={onClose} />;
  const fault = refusalOf(registering.error);
  const issue = (path: string) => fault?.issues.find((one) => one.path === path)?.message;
  return (
    <Dialog
      open busy={registering.isPending} title={registered ? `Give a credential to ${registered.id}` : 'Register an agent'} description={registered ? 'Its token is shown once. Those that it has go on working until they expire or are revoked.' : 'You will not be able to approve what it asks: whoever registers an agent is part of its requests.'}
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="primary" type="submit" form={form} offBecause={registering.isPending ? 'Making it' : undefined}>{registered ? 'Make it' : 'Register'}</Button></>}
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); if (!registering.isPending) registering.mutate(); }}>
        <Field label="Name" hint="As receipts will name it: letters, digits, dots and dashes." error={issue('agent')}>{(control) => <Input {...control} required readOnly={registered !== undefined} maxLength={64} value={draft.agent} onChange={(event) => set({ agent: event.target.value })} />}</Field>
        <Field label="Role" hint="What policies call it by." error={issue('role')}>{(control) => <Input {...control} required readOnly={registered !== undefined} maxLength={64} value={draft.role} onChange={(event) => set({ role: event.target.value })} />}</Field>
        <Field label="Scope" hint="Words that policies read, with commas between. May stay empty." error={issue('scope')}>{(control) => <Input {...control} readOnly={registered !== undefined} value={draft.scope} onChange={(event) => set({ scope: event.target.value })} />}</Field>
        <Field label="Days until its credential expires" error={issue('expires_in_days')}>{(control) => <Input {...control} type="number" min={1} max={366} required value={draft.days} onChange={(event) => set({ days: event.target.value })} />}</Field>
        <Refusal fault={fault} />
      </form>
    </Dialog>
  );
}

function Refusal({ fault }: { readonly fault: ShownFault | null }) {
  return fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} Nothing was made. {fault.fix}</Band>;
}
