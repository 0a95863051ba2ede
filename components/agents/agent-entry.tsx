'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { suspendAgent } from '@/app/actions/agents';
import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { actionValue, refusalOf } from '@/lib/client/action-fault';
import { queryKeys } from '@/lib/client/query-keys';
import type { AgentView } from '@/lib/contracts/console/agents';
import type { PersonId } from '@/lib/shared/ids';

import { CredentialTable } from './credential-table';
import { RegisterDialog } from './register-dialog';
import { RestoreDialog } from './restore-dialog';

interface AgentEntryProps {
  readonly agent: AgentView;
  readonly person: PersonId;
  readonly mayManage: boolean;
  readonly mayRestore: boolean;
  readonly onThrow: (() => void) | undefined;
}

/** One agent: its role and scope, what it did in the last hour, its credentials. */
export function AgentEntry({ agent, person, mayManage, mayRestore, onThrow }: AgentEntryProps) {
  const [asking, setAsking] = useState<'suspend' | 'restore' | 'credential' | null>(null);
  const done = () => setAsking(null);
  const { decided, held, denied } = agent.last_hour;
  return (
    <Section title={agent.id} note={agent.suspended_at !== null ? <b className="bad">Suspended</b> : `${decided} decided, ${held} held, ${denied} denied in the last hour`}>
      <p className="meta2 dot-sep">
        <span>Role <code>{agent.role}</code></span>
        <span>{agent.scope.length === 0 ? 'no scope' : <>Scope {agent.scope.join(', ')}</>}</span>
        <span>registered by {agent.registered_by}, <Time at={agent.created_at} form="date" /></span>
      </p>
      {agent.credentials.length === 0 ? <p className="meta2">It has no credential, so it can’t propose.</p> : <CredentialTable credentials={agent.credentials} mayRevoke={mayManage} />}
      <p className="mt-4 flex flex-wrap items-center gap-2">
        {agent.suspended_at === null ? null : mayRestore
          ? <Button small onClick={() => setAsking('restore')} aria-label={`Restore ${agent.id}`} icon={<Icon name="key" small />}>Restore</Button>
          : <span className="meta2">An owner can restore it, with a signature.</span>}
        {mayManage && agent.suspended_at === null ? <Button small onClick={() => setAsking('credential')} aria-label={`Give a credential to ${agent.id}`}>Give a credential</Button> : null}
        {mayManage && agent.suspended_at === null ? <Button small onClick={() => setAsking('suspend')} aria-label={`Suspend ${agent.id}`}>Suspend</Button> : null}
        {onThrow === undefined ? null : <Button small kind="deny" onClick={onThrow}>Stop this agent</Button>}
      </p>
      {asking === 'suspend' ? <SuspendDialog agent={agent.id} onClose={done} /> : null}
      {asking === 'restore' ? <RestoreDialog agent={agent} person={person} onClose={done} /> : null}
      {asking === 'credential' ? <RegisterDialog registered={agent} onClose={done} /> : null}
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
      <p className="meta2">It stays suspended until an owner signs it back in. Its receipts stay. Suspending needs no signature, because it only tightens.</p>
      {fault === null ? null : <Band tone="deny" icon="stale" role="alert" title={`${fault.title}.`}>{fault.detail} It is not suspended.</Band>}
    </Dialog>
  );
}
