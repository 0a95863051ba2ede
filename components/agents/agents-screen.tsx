'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { DecisionMark } from '@/components/ui/decision-mark';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Section } from '@/components/ui/section';
import { Time } from '@/components/ui/time';
import { Page } from '@/components/layout/board';
import { shownFault } from '@/lib/client/parse-answer';
import { agentsQuery } from '@/lib/client/queries';
import type { AgentsView } from '@/lib/contracts/console/agents';

import { AgentEntry } from './agent-entry';
import { CredentialTable } from './credential-table';
import { RegisterDialog } from './register-dialog';
import { SwitchDialog, type SwitchSubject } from './switch-dialog';

interface AgentsScreenProps {
  readonly mayManage: boolean;
  readonly mayThrow: boolean;
}

/** Who proposes, with which credentials, and the switch that stops them. */
export function AgentsScreen({ mayManage, mayThrow }: AgentsScreenProps) {
  const { data, error, refetch } = useQuery(agentsQuery());
  const [registering, setRegistering] = useState(false);
  const [throwing, setThrowing] = useState<SwitchSubject | null>(null);
  return (
    <Page
      title="Agents"
      lead="An agent proposes. It can’t decide, approve, or change a policy."
      actions={
        <>
          {mayThrow ? <Button kind="deny" onClick={() => setThrowing({ scope: 'all', subject: '' })} icon={<DecisionMark decision="DENY" label={null} />}>Stop everything</Button> : null}
          {mayManage ? <Button kind="primary" onClick={() => setRegistering(true)}>Register an agent</Button> : null}
        </>
      }
    >
      {error === null ? null : <ErrorState title="The agents could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      {data === undefined ? (error === null ? <LoadingRows what="agents" /> : null) : (
        <>
          <Switches view={data} />
          {data.agents.length === 0 ? (
            <EmptyState title="No agent is registered.">{mayManage ? 'Register one: its token is shown once, and its proposals then appear under Approvals and Receipts.' : 'An admin registers agents.'}</EmptyState>
          ) : data.agents.map((agent) => (
            <AgentEntry key={agent.id} agent={agent} mayManage={mayManage} onThrow={mayThrow ? () => setThrowing({ scope: 'agent', subject: agent.id }) : undefined} />
          ))}
          <Section title="Credentials that vouch" note="listed in the signed roster, with their token’s digest">
            {data.vouching.length === 0 ? <p className="meta2">None. Orchestrators, enforcement points and information points come in with an owner’s signature.</p> : <CredentialTable credentials={data.vouching} mayRevoke={mayManage} />}
          </Section>
        </>
      )}
      {registering ? <RegisterDialog onClose={() => setRegistering(false)} /> : null}
      {throwing === null ? null : <SwitchDialog subject={throwing} onClose={() => setThrowing(null)} />}
    </Page>
  );
}

function Switches({ view }: { readonly view: AgentsView }) {
  if (view.switches.length === 0) return null;
  return (
    <Section title="Switches that are thrown" note="an owner’s signature releases them">
      <ul className="findings">
        {view.switches.map((one) => <li key={`${one.scope} ${one.subject}`}><b>{one.scope === 'all' ? 'Everything' : `${one.scope === 'agent' ? 'Agent' : 'Tool'} ${one.subject}`}</b><span>by {one.thrown_by}, <Time at={one.thrown_at} form="date" /></span></li>)}
      </ul>
    </Section>
  );
}
