import { QueueRow } from '@/components/ui/queue-row';
import type { DecisionKind } from '@/components/ui/decision-kind';
import { Ring } from '@/components/ui/ring';
import { Risk } from '@/components/ui/risk';
import { Time } from '@/components/ui/time';
import { UntrustedText } from '@/components/ui/untrusted-text';
import { ViewSentence } from '@/components/ui/view-sentence';
import type { ApprovalStatus } from '@/lib/approvals/approval-state';
import type { QueueItem } from '@/lib/contracts/console/approvals';

interface HeldRowProps {
  readonly item: QueueItem;
  /** The newest reading lacks it: decided or ended since this list was drawn. */
  readonly gone: boolean;
  readonly href: string;
  readonly current: boolean;
  readonly offsetMs: number;
  readonly live: boolean;
}

const ends: { readonly [S in ApprovalStatus]: { readonly decision: DecisionKind; readonly word: string } } = {
  pending: { decision: 'STEP_UP', word: 'Waiting' },
  approved: { decision: 'ALLOW', word: 'Approved' },
  denied: { decision: 'DENY', word: 'Denied' },
  expired: { decision: 'DENY', word: 'Time ran out' },
  withdrawn: { decision: 'DENY', word: 'Withdrawn' },
  superseded: { decision: 'MODIFY', word: 'Replaced' },
  stale: { decision: 'MODIFY', word: 'Decided again' },
};

/** One request in the list, waiting or over. */
export function HeldRow({ item, gone, href, current, offsetMs, live }: HeldRowProps) {
  const waiting = item.state === 'pending' && !gone;
  const end = ends[item.state];
  return (
    <QueueRow
      href={href}
      current={current}
      decision={end.decision}
      decisionLabel={waiting ? 'Step up' : end.word}
      operation={item.title}
      object={gone ? 'No longer waits' : <RowObject item={item} />}
      by={<><UntrustedText text={item.agent} /> · {waiting ? <>since <Time at={item.held_at} form="clock" focusable={false} /></> : item.resolved_at === null ? 'just now' : <Time at={item.resolved_at} focusable={false} offsetMs={offsetMs} />}</>}
      right={[<Risk key="impact" level={item.impact} />, waiting ? <Ring key="quorum" signed={item.quorum.given} of={item.quorum.needed} /> : <span key="end" className="t3">{gone ? 'Over' : end.word}</span>]}
      {...(waiting ? { deadline: { at: item.expires_at, since: item.held_at, atZero: 'denied' } } : {})}
      offsetMs={offsetMs}
      live={live}
    />
  );
}

function RowObject({ item }: { readonly item: QueueItem }) {
  return item.subject.length === 0 ? <>for <UntrustedText text={item.human} /></> : <ViewSentence parts={item.subject} />;
}
