import type { DecisionKind } from '@/components/ui/decision-kind';

const decisions: readonly DecisionKind[] = ['ALLOW', 'DENY', 'MODIFY', 'STEP_UP', 'DEFER'];

export const decisionKind = (text: string | null): DecisionKind | undefined => decisions.find((kind) => kind === text);
