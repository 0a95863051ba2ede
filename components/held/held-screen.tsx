import { DecisionChip } from '@/components/ui/decision-chip';
import { Icon } from '@/components/ui/icon';
import { Risk } from '@/components/ui/risk';
import { Time } from '@/components/ui/time';
import { ViewSentence } from '@/components/ui/view-sentence';
import type { HeldAction } from '@/lib/approvals/held-action';
import { approvalView } from '@/lib/approvals/view';

import { ArgumentSources } from './argument-sources';
import { DecisionFacts } from './decision-facts';
import { HeldImpact } from './held-impact';
import { HeldSession } from './held-session';
import { ItemTitle } from './item-title';
import { RequestAndIntent } from './request-and-intent';
import { WhatWouldRun } from './what-would-run';
import { WhyHeld } from './why-held';

interface HeldScreenProps {
  readonly held: HeldAction;
  /** Ids of the checks that the person ticked, by their signed statement; null where nobody signed. */
  readonly ticked: readonly string[] | null;
}

/** The approver's screen once more, from what was held and nothing else: the parts of the approvals page, with nothing to press. */
export function HeldScreen({ held, ticked }: HeldScreenProps) {
  const view = approvalView(held);
  return (
    <div className="held-screen">
      <p className="item-tags"><DecisionChip decision="STEP_UP" variant="chip" /><Risk level={held.impact} suffix="impact" /><span className="t3">Held <Time at={held.held_at} form="date" /></span></p>
      <p className="held-title"><ItemTitle held={held} /></p>
      <p className="t2">{view.facts.map((sentence, index) => <span key={index}>{index === 0 ? null : ' '}<ViewSentence parts={sentence} /></span>)}</p>
      <WhatWouldRun held={held} pending={false} />
      {view.checks.length === 0 ? null : (
        <ul className="proof" aria-label="Checks that were asked for">
          {view.checks.map((check) => {
            const done = ticked?.includes(check.id) === true;
            return <li key={check.id} data-state={done ? 'pass' : 'skipped'}><Icon name={done ? 'check' : 'dash'} label={done ? 'Ticked' : 'Not ticked'} /><span><b>{check.title}</b> <ViewSentence parts={check.detail} /></span></li>;
          })}
        </ul>
      )}
      <RequestAndIntent held={held} />
      <ArgumentSources rows={view.arguments} />
      <WhyHeld held={held} />
      <DecisionFacts attributes={view.attributes} />
      <HeldImpact held={held} />
      <HeldSession held={held} readsReceipts={false} />
    </div>
  );
}
