import { decisionHue, decisionWord, type DecisionKind } from '@/components/ui/decision-kind';
import { DecisionSilhouette } from '@/components/ui/decision-silhouette';

interface DecisionMarkProps {
  readonly decision: DecisionKind;
  /** Replaces the word read to a screen reader ("Held", "Allowed"). `null` when a word stands beside the mark. */
  readonly label?: string | null;
  readonly className?: string;
}

/** The silhouette alone, for rows and timelines. */
export function DecisionMark({ decision, label, className }: DecisionMarkProps) {
  const naming = label === null ? ({ 'aria-hidden': true } as const) : ({ role: 'img', 'aria-label': label ?? decisionWord[decision] } as const);
  return (
    <svg viewBox="0 0 16 16" focusable="false" className={className === undefined ? 'dec-i' : `dec-i ${className}`} data-d={decisionHue[decision]} {...naming}>
      <DecisionSilhouette decision={decision} />
    </svg>
  );
}
