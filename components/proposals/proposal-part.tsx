'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { DetailBlank } from '@/components/layout/two-pane';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { proposalDetailQuery } from '@/lib/client/queries';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { ProposalId } from '@/lib/shared/ids';

import { ProposalPane } from './proposal-pane';
import { proposalName } from './proposal-words';
import { RejectProposalDialog } from './reject-proposal-dialog';
import { useProposalActions } from './use-proposal-actions';

/** The proposal that is looked at, read, with what may be done about it. */
export function ProposalPart({ id, onSign }: { readonly id: ProposalId; readonly onSign: () => void }) {
  const { data, error, refetch } = useQuery(proposalDetailQuery(id));
  const [rejectingOpen, setRejecting] = useState(false);
  const { rejecting, withdrawing, rebasing, applying } = useProposalActions();
  const may = data?.may;
  useShortcuts({ ...(may?.sign === true ? { s: onSign } : {}), ...(may?.reject === true ? { r: () => setRejecting(true) } : {}) });
  if (data === undefined) {
    if (error === null) return <DetailBlank><LoadingRows what="the proposal" rows={10} /></DetailBlank>;
    const fault = shownFault(error);
    return <DetailBlank>{fault.code === 'not_found' ? <EmptyState title="There is no such proposal.">Pick one from the list.</EmptyState> : <ErrorState title="The proposal could not be read." code={fault.code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{fault.detail}</ErrorState>}</DetailBlank>;
  }
  const busy = withdrawing.isPending ? 'Withdrawing' : rebasing.isPending ? 'Rebasing' : applying.isPending ? 'Bringing into force' : undefined;
  return (
    <>
      <ProposalPane
        detail={data} busy={busy} fault={refusalOf(withdrawing.error) ?? refusalOf(rebasing.error) ?? refusalOf(applying.error)}
        onSign={onSign} onReject={() => setRejecting(true)} onWithdraw={() => withdrawing.mutate(id)} onApply={() => applying.mutate(id)} onRebase={() => rebasing.mutate(id)}
      />
      {rejectingOpen ? (
        <RejectProposalDialog
          name={proposalName(data)} told={data.maker.kind === 'agent' ? `Agent ${data.maker.name}` : data.maker.name} busy={rejecting.isPending} fault={refusalOf(rejecting.error)}
          onReject={(reason) => rejecting.mutate({ proposal: id, reason }, { onSuccess: () => setRejecting(false) })}
          onClose={() => { rejecting.reset(); setRejecting(false); }}
        />
      ) : null}
    </>
  );
}
