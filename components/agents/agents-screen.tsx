'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Page } from '@/components/layout/board';
import { shownFault } from '@/lib/client/parse-answer';
import { agentsQuery } from '@/lib/client/queries';
import type { PersonId } from '@/lib/shared/ids';

import { AgentEntry } from './agent-entry';
import { RegisterDialog } from './register-dialog';
import { ThrownSwitches } from './thrown-switches';
import { SwitchDialog, type SwitchSubject } from './switch-dialog';
import { Vouching } from './vouching';

interface AgentsScreenProps {
  readonly person: PersonId;
  readonly mayManage: boolean;
  readonly mayThrow: boolean;
  readonly mayRelease: boolean;
  readonly mayRestore: boolean;
  /** Whether what vouches may be signed in and out here. */
  readonly maySign: boolean;
}

/** Who proposes, with which credentials, and the switch that stops them. */
export function AgentsScreen({ person, mayManage, maySign, mayThrow, mayRelease, mayRestore }: AgentsScreenProps) {
  const { data, error, refetch } = useQuery(agentsQuery());
  const [registering, setRegistering] = useState(false);
  const [throwing, setThrowing] = useState<SwitchSubject | null>(null);
  return (
    <Page
      title="Agents"
      lead="An agent proposes. It can’t decide, approve, or change a policy."
      actions={
        <>
          <Link className="link" href="/grants">Grants</Link>
          {mayThrow ? <Button kind="deny" onClick={() => setThrowing({ scope: 'all', subject: '' })} icon={<DecisionMark decision="DENY" label={null} />}>Stop everything</Button> : null}
          {mayManage ? <Button kind="primary" onClick={() => setRegistering(true)}>Register an agent</Button> : null}
        </>
      }
    >
      {error === null ? null : <ErrorState title="The agents could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="agents" /> : null) : (
        <>
          <ThrownSwitches switches={data.switches} person={person} mayRelease={mayRelease} />
          {data.agents.length === 0 ? (
            <EmptyState title="No agent is registered.">{mayManage ? 'Register one: its token is shown once, and its proposals then appear under Approvals and Receipts.' : 'An admin registers agents.'}</EmptyState>
          ) : data.agents.map((agent) => (
            <AgentEntry key={agent.id} agent={agent} person={person} mayManage={mayManage} mayRestore={mayRestore} onThrow={mayThrow ? () => setThrowing({ scope: 'agent', subject: agent.id }) : undefined} />
          ))}
          <Vouching credentials={data.vouching} person={person} mayRevoke={mayManage} maySign={maySign} />
        </>
      )}
      {registering ? <RegisterDialog onClose={() => setRegistering(false)} /> : null}
      {throwing === null ? null : <SwitchDialog subject={throwing} onClose={() => setThrowing(null)} />}
    </Page>
  );
}
