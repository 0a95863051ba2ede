import type { DemoAgent } from './demo-agents';

/** A change to the demo's policy that an agent asks for. `from` stands once in the text. */
export type ProposedChange = { readonly agent: DemoAgent; readonly from: string; readonly to: string; readonly reason: string };

/** One that loosens more than its maker says, so that the proof has something to show, and one that only tightens. */
export const proposedChanges: readonly ProposedChange[] = [
  {
    agent: 'harbor-ops',
    from: 'action: STEP_UP\n    approvers: [data-owner, approver]\n    quorum: 2\n    reason: Giving others access needs two people.',
    to: 'action: ALLOW\n    reason: Files are shared as the work asks for it.',
    reason: 'Jonas needs the berth plan every week. Let me share files with colleagues of this office without asking each time.',
  },
  {
    agent: 'harbor-bookkeeper',
    from: 'amount: { gt: 1000 }',
    to: 'amount: { gt: 500 }',
    reason: 'The invoices that turned out wrong were between 500 and 1000 EUR. Two people should look at those, too.',
  },
];

/** The policy as the change would have it. Throws when the text is not the one that it was written for. */
export function changedText(text: string, { from, to }: Pick<ProposedChange, 'from' | 'to'>): string {
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`The demo's policy does not say “${from}” exactly once.`);
  return `${before}${to}${after}`;
}
