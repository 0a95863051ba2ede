'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Band } from '@/components/ui/band';
import { Button } from '@/components/ui/button';
import { checksLeft } from '@/components/ui/checks';
import { EmptyState, ErrorState, LoadingRows } from '@/components/ui/pane-states';
import { DetailBlank } from '@/components/layout/two-pane';
import { approvalView } from '@/lib/approvals/view';
import { refusalOf } from '@/lib/client/action-fault';
import { shownFault } from '@/lib/client/parse-answer';
import { approvalDetailQuery, ownKeysQuery } from '@/lib/client/queries';
import { useClockOffset } from '@/lib/client/use-clock-offset';
import { useDeviceKeys } from '@/lib/client/use-device-keys';
import { useLive } from '@/lib/client/live-provider';
import { useShortcuts } from '@/lib/client/use-shortcuts';
import type { ApprovalDetail as Detail } from '@/lib/contracts/console/approvals';

import { ApprovalBar } from './approval-bar';
import type { ApprovalsViewer } from './approvals-viewer';
import { ApprovalEvidence } from './approval-evidence';
import { DecisionDialogs, type Decided, type OpenDialog } from './decision-dialogs';
import { EnrolHere } from './enrol-here';
import { faultWords } from './fault-words';
import { signersHere, standingOf } from './standing';
import { useDecide } from './use-decide';

interface ApprovalDetailProps {
  readonly id: string;
  readonly viewer: ApprovalsViewer;
  readonly backHref: string;
  readonly onDecided: (decided: Decided) => void;
}

/** One request: read, then judged. */
export function ApprovalDetail(props: ApprovalDetailProps) {
  const { data, error, refetch } = useQuery(approvalDetailQuery(props.id));
  if (data) return <Judged {...props} detail={data} />;
  if (error === null) return <DetailBlank><LoadingRows what="the request" rows={8} /></DetailBlank>;
  const fault = shownFault(error);
  if (fault.code === 'not_found') {
    return <DetailBlank><EmptyState title="There is no such request, or it is not routed to you.">Pick one from the list.</EmptyState></DetailBlank>;
  }
  return (
    <DetailBlank>
      <ErrorState title="The request could not be read." code={fault.code} action={<Button small onClick={() => void refetch()}>Read again</Button>}>{fault.detail} Nothing was decided.</ErrorState>
    </DetailBlank>
  );
}

function Judged({ detail, viewer, backHref, onDecided }: ApprovalDetailProps & { readonly detail: Detail }) {
  const live = useLive().state !== 'lost';
  const offsetMs = useClockOffset(detail.now);
  const device = useDeviceKeys(viewer.person);
  const ownKeys = useQuery(ownKeysQuery()).data;
  const { signing, extending, editing, denying, asking, withdrawing } = useDecide();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const view = approvalView(detail.held);
  const standing = standingOf(detail, device, ownKeys);
  const [signer] = signersHere(detail, device, ownKeys).usable;
  const open = checksLeft(view.checks.map(({ id, title }) => ({ id, claim: title })), ticked);

  function openApproval() {
    if (standing.kind !== 'ready') return;
    if (open === undefined && live) setDialog('approve');
    else document.querySelector<HTMLInputElement>('.checks input:not(:checked)')?.focus();
  }
  const openDenial = () => { if (detail.viewer.may_deny) setDialog('deny'); };
  const openQuestion = () => { if (detail.viewer.may_ask) setDialog('ask'); };
  const openEdit = detail.viewer.may_edit && signer && live && standing.kind !== 'drawn_differently' ? () => setDialog('edit') : undefined;
  useShortcuts({ a: openApproval, d: openDenial, q: openQuestion, e: () => openEdit?.() });

  const withdrawal = refusalOf(withdrawing.error);
  // Somebody else's decision, or the deadline, arrived while this person was about to take theirs.
  const taking = signing.isPending || extending.isPending || editing.isPending || denying.isPending || asking.isPending;
  const lostRace = dialog !== null && (detail.state !== 'pending' || detail.edit !== null) && !taking;
  const notices = (
    <>
      {lostRace ? <Band tone="warn" role="alert" title={overtakenBy(detail)} action={<Button small onClick={() => setDialog(null)}>Understood</Button>}>Your decision was not recorded. What happened stands below; go on with the next one.</Band> : null}
      {withdrawal === null ? null : <Band tone="deny" icon="stale" role="alert" title={faultWords(withdrawal).title}>{faultWords(withdrawal).rest}</Band>}
      {standing.kind === 'no_key' && device !== undefined ? <EnrolHere person={viewer.person} why={standing.why} kinds={ownKeys?.may_sign[detail.held.impact]} waiting={standing.waiting} /> : null}
      {standing.kind === 'drawn_differently' ? <Band tone="deny" icon="stale" role="alert" title={standing.words}>{standing.why}</Band> : null}
    </>
  );
  return (
    <>
      <ApprovalEvidence
        detail={detail} view={view} viewer={viewer} backHref={backHref} offsetMs={offsetMs} live={live} ticked={ticked} notices={notices}
        onTick={(id, on) => setTicked((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id)))}
        onExtend={detail.viewer.may_extend && signer && live ? () => setDialog('extend') : undefined}
        bar={standing.kind === 'over' ? undefined : (
          <ApprovalBar
            detail={detail} standing={standing} checksLeft={open} live={live} onApprove={openApproval} onDeny={openDenial} onAsk={openQuestion} onEdit={openEdit}
            onWithdraw={() => withdrawing.mutate({ action: detail.action.id })} withdrawing={withdrawing.isPending}
          />
        )}
      />
      <DecisionDialogs dialog={lostRace ? null : dialog} onDialog={setDialog} detail={detail} standing={standing} signer={signer} ticked={ticked} live={live} signing={signing} extending={extending} editing={editing} denying={denying} asking={asking} onDecided={onDecided} />
    </>
  );
}

function overtakenBy({ state, edit }: Detail): string {
  if (state === 'expired') return 'Time ran out.';
  return edit !== null || state === 'approved' || state === 'denied' ? 'Somebody was faster.' : 'This request is over.';
}
