'use client';

import { useQuery } from '@tanstack/react-query';

import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { Board, Page } from '@/components/layout/board';
import { shownFault } from '@/lib/client/parse-answer';
import { overviewQuery, statusQuery } from '@/lib/client/queries';
import { useClockOffset } from '@/lib/client/use-clock-offset';

import { AgentsPanel } from './agents-panel';
import { DecisionsPanel } from './decisions-panel';
import { DenialsPanel } from './denials-panel';
import { KeyFigures } from './key-figures';
import { Posture } from './posture';
import { TrustPanel } from './trust-panel';

interface OverviewScreenProps {
  readonly seesAgents: boolean;
  readonly seesApprovals: boolean;
}

/** What waits, what was decided and why, and whether policy and ledger are sound. */
export function OverviewScreen({ seesAgents, seesApprovals }: OverviewScreenProps) {
  const { data, error, refetch } = useQuery(overviewQuery());
  const { data: status } = useQuery(statusQuery());
  const offsetMs = useClockOffset(data?.now ?? '');
  if (data === undefined) {
    return (
      <Page title="Overview">
        {error === null ? <LoadingRows what="the overview" /> : <ErrorState title="The overview could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>}
      </Page>
    );
  }
  return (
    <Board title={<Posture view={data} linked={seesApprovals} offsetMs={offsetMs} />}>
      <KeyFigures view={data} offsetMs={offsetMs} />
      <DecisionsPanel view={data} />
      <TrustPanel status={status} receipts={data.receipts} />
      {seesAgents ? <AgentsPanel agents={data.agents} /> : null}
      <DenialsPanel denials={data.denials_24h} />
    </Board>
  );
}
