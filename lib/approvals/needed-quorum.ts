import type { HeldAction } from './held-action';

/** How many different people must approve. Critical impact needs two, whatever the policy says. */
export const neededQuorum = ({ approvers, impact }: Pick<HeldAction, 'approvers' | 'impact'>): number =>
  Math.max(approvers.quorum, impact === 'critical' ? 2 : 1);
