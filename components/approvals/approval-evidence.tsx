'use client';

import { AskedBack } from '@/components/held/asked-back';
import { ArgumentSources } from '@/components/held/argument-sources';
import { DecisionFacts } from '@/components/held/decision-facts';
import { EditedFrom } from '@/components/held/edited-from';
import { HeldImpact } from '@/components/held/held-impact';
import { HeldSession } from '@/components/held/held-session';
import { ItemTitle } from '@/components/held/item-title';
import { RequestAndIntent } from '@/components/held/request-and-intent';
import { WhatChanged } from '@/components/held/what-changed';
import { WhatWouldRun } from '@/components/held/what-would-run';
import { WhyHeld } from '@/components/held/why-held';
import { Checks } from '@/components/ui/checks';
import { DecisionChip } from '@/components/ui/decision-chip';
import { Countdown } from '@/components/ui/countdown';
import { Risk } from '@/components/ui/risk';
import { Time } from '@/components/ui/time';
import { ViewSentence } from '@/components/ui/view-sentence';
import { DetailPane, ItemHead } from '@/components/layout/two-pane';
import type { ApprovalView } from '@/lib/approvals/view';
import type { ApprovalDetail } from '@/lib/contracts/console/approvals';
import type { ReactNode } from 'react';

import type { ApprovalsViewer } from './approvals-viewer';
import { DecidedNote } from './decided-note';
import { HeldSignatures } from './held-signatures';
import { RawAction } from './raw-action';

export const itemTitleId = 'item-title';

interface ApprovalEvidenceProps {
  readonly detail: ApprovalDetail;
  readonly view: ApprovalView;
  readonly viewer: ApprovalsViewer;
  readonly backHref: string;
  readonly offsetMs: number;
  readonly live: boolean;
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (id: string, ticked: boolean) => void;
  /** What happened just now to this request, and what keeps the viewer from signing. */
  readonly notices?: ReactNode;
  /** Left out: this viewer, in this browser, cannot. */
  readonly onExtend?: (() => void) | undefined;
  readonly bar: ReactNode;
}

/** Everything that is known about one held action, drawn from the view that gets signed. */
export function ApprovalEvidence(props: ApprovalEvidenceProps) {
  const { detail, view, live } = props;
  const { held } = detail;
  const pending = detail.state === 'pending';
  return (
    <DetailPane
      labelledBy={itemTitleId}
      head={
        <ItemHead
          back={{ href: props.backHref, label: 'Approvals' }}
          tags={<><DecisionChip decision="STEP_UP" variant="chip" />{pending ? null : <b>then {detail.state === 'expired' ? 'denied at zero' : detail.state}</b>}<Risk level={held.impact} suffix="impact" /><span className="t3">Held <Time at={held.held_at} form="clock" /> · {detail.id.slice(0, 12)}</span></>}
          titleId={itemTitleId}
          title={<ItemTitle held={held} />}
          summary={view.facts.map((sentence, index) => <span key={index}>{index === 0 ? null : ' '}<ViewSentence parts={sentence} /></span>)}
          clock={pending ? <Countdown deadline={detail.expires_at} since={held.held_at} atZero="denied" offsetMs={props.offsetMs} live={live} /> : undefined}
        />
      }
      side={<><HeldSignatures detail={detail} viewer={props.viewer.person} onExtend={props.onExtend} /><HeldImpact held={held} /><HeldSession held={held} readsReceipts={props.viewer.readsReceipts} /></>}
      bar={props.bar}
    >
      {props.notices}
      <DecidedNote detail={detail} />
      <WhatChanged held={held} />
      <WhatWouldRun held={held} pending={pending} />
      <EditedFrom held={held} />
      {pending ? (
        <Checks
          checks={view.checks.map((check) => ({ id: check.id, claim: check.title, detail: <ViewSentence parts={check.detail} /> }))}
          ticked={props.ticked}
          onTick={props.onTick}
        />
      ) : null}
      <AskedBack held={held} />
      <RequestAndIntent held={held} />
      <ArgumentSources rows={view.arguments} />
      <WhyHeld held={held} />
      <DecisionFacts attributes={view.attributes} />
      <RawAction detail={detail} readsReceipts={props.viewer.readsReceipts} />
    </DetailPane>
  );
}
