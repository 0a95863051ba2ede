'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { suspendAgent } from '@/app/actions/agents';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { AgentView } from '@/lib/contracts/console/agents';

import { CredentialTable } from './credential-table';

interface AgentEntryProps {
  readonly agent: AgentView;
  readonly mayManage: boolean;
  readonly onThrow: (() => void) | undefined;
}

/** One agent: its role and scope, what it did in the last hour, its credentials. */
export function AgentEntry({ agent, mayManage, onThrow }: AgentEntryProps) {
  const [asking, setAsking] = useState(false);
  const { decided, held, denied } = agent.last_hour;
  return (
    <Section title={agent.id} note={agent.suspended ? <b className="bad">Suspended</b> : `${decided} decided, ${held} held, ${denied} denied in the last hour`}>
      <p className="meta2 dot-sep">
        <span>Role <code>{agent.role}</code></span>
        <span>{agent.scope.length === 0 ? 'no scope' : <>Scope {agent.scope.join(', ')}</>}</span>
        <span>registered by {agent.registered_by}, <Time at={agent.created_at} form="date" /></span>
      </p>
      {agent.credentials.length === 0 ? <p className="meta2">It has no credential, so it can’t propose.</p> : <CredentialTable credentials={agent.credentials} mayRevoke={mayManage} />}
      <p className="mt-4 flex flex-wrap gap-2">
        {agent.suspended ? <span className="meta2">It stays suspended. If it is needed again, register another one under a new name.</span> : null}
        {mayManage && !agent.suspended ? <Button small onClick={() => setAsking(true)}>Suspend</Button> : null}
        {onThrow === undefined ? null : <Button small kind="deny" onClick={onThrow}>Stop this agent</Button>}
      </p>
      {asking ? <SuspendDialog agent={agent.id} onClose={() => setAsking(false)} /> : null}
    </Section>
  );
}

function SuspendDialog({ agent, onClose }: { readonly agent: string; readonly onClose: () => void }) {
  const client = useQueryClient();
  const suspending = useMutation({
    mutationFn: async () => actionValue(await suspendAgent({ agent })),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.agents }),
    onSuccess: onClose,
  });
  const fault = refusalOf(suspending.error);
  return (
    <Dialog
      open busy={suspending.isPending} title={`Suspend ${agent}?`} description="Its credentials stop working at once. What it has waiting can’t run any more."
      onOpenChange={(open) => { if (!open) onClose(); }}
      footer={<><Button onClick={onClose}>Back <kbd>Esc</kbd></Button><Button kind="deny-solid" onClick={() => suspending.mutate()} offBecause={suspending.isPending ? 'Suspending' : undefined}>Suspend</Button></>}
    >
      <p className="meta2">It stays suspended: there is no way back under this name. Its receipts stay. Suspending needs no signature, because it only tightens.</p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It is not suspended.</Band>}
    </Dialog>
  );
}
