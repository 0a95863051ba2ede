import type { ReactNode } from 'react';
import { DecisionMark } from '@/components/ui/decision-mark';
import type { DecisionKind } from '@/components/ui/decision-kind';
import { Icon, type IconName } from '@/components/ui/icon';
import { Time } from '@/components/ui/time';

export interface TimelineStep {
  readonly key: string;
  /** RFC 3339. */
  readonly at: string;
  readonly mark: { readonly decision: DecisionKind; readonly label?: string } | { readonly icon: IconName };
  readonly what: ReactNode;
  readonly note?: ReactNode;
  /** The step this page is about. */
  readonly current?: boolean;
}

/** What happened, oldest first. */
export function Timeline({ steps }: { readonly steps: readonly TimelineStep[] }) {
  return (
    <ol className="tl">
      {steps.map((step) => (
        <li key={step.key} aria-current={step.current === true ? 'step' : undefined}>
          <Time at={step.at} form="clock" />
          {'decision' in step.mark
            ? <DecisionMark decision={step.mark.decision} {...(step.mark.label === undefined ? {} : { label: step.mark.label })} />
            : <Icon name={step.mark.icon} className="t2" />}
          <span><span className={step.current === true ? 'now' : undefined}>{step.what}</span>{step.note === undefined ? null : <><br /><span className="t3">{step.note}</span></>}</span>
        </li>
      ))}
    </ol>
  );
}
