import type { ReactNode } from 'react';
import type { DecisionKind } from '@/components/ui/decision-kind';

const cut = { fill: 'none', stroke: 'var(--ground)' } as const;

const shapes: Readonly<Record<DecisionKind, ReactNode>> = {
  ALLOW: <><circle cx="8" cy="8" r="7" fill="currentColor" /><path {...cut} strokeWidth="1.8" d="M4.7 8.3l2.3 2.3 4.4-5" /></>,
  DENY: <><path fill="currentColor" d="M4.4 1h7.2L15 4.4v7.2L11.6 15H4.4L1 11.6V4.4z" /><path {...cut} strokeWidth="2.2" d="M4 8h8" /></>,
  MODIFY: <><path fill="currentColor" d="M8 .4L15.6 8 8 15.6.4 8z" /><path {...cut} strokeWidth="1.9" d="M9.3 4.6L7 11.2" /></>,
  STEP_UP: <path fill="currentColor" d="M8 .8l7 7.4h-3.9V15H4.9V8.2H1z" />,
  DEFER: <path fill="currentColor" d="M2.6 1h10.8v2.1c0 2-1.7 3.4-3.6 4.9 1.9 1.5 3.6 2.9 3.6 4.9V15H2.6v-2.1c0-2 1.7-3.4 3.6-4.9C4.3 6.5 2.6 5.1 2.6 3.1z" />,
};

/** The paths of a decision's silhouette on a 16-unit square; the cut-outs take the colour of the ground they stand on. */
export function DecisionSilhouette({ decision }: { readonly decision: DecisionKind }) {
  return shapes[decision];
}
