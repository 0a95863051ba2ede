import { decisionHue, decisionWord, type DecisionKind } from '@/components/ui/decision-kind';
import { DecisionSilhouette } from '@/components/ui/decision-silhouette';

interface DecisionChipProps {
  readonly decision: DecisionKind;
  /** `chip` is filled and only for the decision under judgement; `plain` is the same icon and word without the ground. */
  readonly variant?: 'chip' | 'plain';
  /** Another word for the same silhouette ("Denied"). */
  readonly word?: string;
}

/** A decision as shape, word and colour, in that order. */
export function DecisionChip({ decision, variant = 'plain', word }: DecisionChipProps) {
  return (
    <span className={variant === 'chip' ? 'chip' : 'dec'} data-d={decisionHue[decision]}>
      <svg viewBox="0 0 16 16" aria-hidden focusable="false"><DecisionSilhouette decision={decision} /></svg>
      {word ?? decisionWord[decision]}
    </span>
  );
}
