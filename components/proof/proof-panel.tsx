'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '@/components/ui/button';
import { ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { proofQuery } from '@/lib/client/queries';
import { isId, type ProposalId } from '@/lib/shared/ids';

import { ProofLimits } from './proof-limits';
import { ProofState } from './proof-state';
import { ReplaySection } from './replay-section';
import { ShadowSection } from './shadow-section';
import { useProofActions } from './use-proof-actions';
import { WhoGainsWhat } from './who-gains-what';

interface ProofPanelProps {
  readonly proposal: string;
  /** What stands between who gains what and the rest: the requester's own words. */
  readonly words?: ReactNode;
  /** The change of the text, beside the replay. */
  readonly text?: ReactNode;
}

/** Everything that was found out about a proposal before anybody signs. */
export function ProofPanel({ proposal, ...parts }: ProofPanelProps) {
  return isId('proposal', proposal) ? <KnownProof proposal={proposal} {...parts} /> : <ErrorState title="The proof could not be read.">There is no such proposal.</ErrorState>;
}

function KnownProof({ proposal, words, text }: ProofPanelProps & { readonly proposal: ProposalId }) {
  const { data, error, refetch } = useQuery(proofQuery(proposal));
  const asking = useProofActions(proposal);
  if (error !== null && data === undefined) return <ErrorState title="The proof could not be read." code={shownFault(error).code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{shownFault(error).detail}</ErrorState>;
  if (data === undefined) return <LoadingRows what="the proof" />;
  const { proof } = data;
  const busy = asking.isPending;
  const replay = proof?.replay === undefined ? null : <ReplaySection replay={proof.replay} />;
  return (
    <>
      <ProofState view={data} busy={busy} fault={refusalOf(asking.error)} onProve={() => asking.mutate({ does: 'prove' })} onCancel={() => asking.mutate({ does: 'cancel' })} />
      {proof === null ? null : <WhoGainsWhat comparison={proof.comparison} />}
      {words}
      {text === undefined && replay === null ? null : <div className="grid2">{text}{replay}</div>}
      {proof === null ? null : <ProofLimits proof={proof} />}
      <ShadowSection view={data} busy={busy} onStart={(days) => asking.mutate({ does: 'shadow', days })} onStop={() => asking.mutate({ does: 'stop_shadow' })} />
    </>
  );
}
