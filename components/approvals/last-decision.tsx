import Link from 'next/link';

import type { Decided } from './decision-dialogs';

/** What came of the decision just taken, with its receipt. Announced, and out of the way of the next one. */
export function LastDecision({ decided, readsReceipts }: { readonly decided: Decided; readonly readsReceipts: boolean }) {
  const { title, outcome, id } = decided;
  const receipt = outcome.receipts.at(-1);
  return (
    <p role="status">
      <b>{wordsOf(decided)}</b> <code>{title}</code>{' '}
      {receipt === undefined || !readsReceipts ? null : <><Link className="link" href={`/receipts?receipt=${receipt}`}>Receipt</Link> · </>}
      <Link className="link" href={`/approvals?tab=decided&item=${id}`}>Look at it</Link>
    </p>
  );
}

function wordsOf(decided: Decided): string {
  if (decided.verdict === 'deny') return 'Denied.';
  if (decided.verdict === 'ask') return 'Asked back.';
  if (decided.verdict === 'edit') return 'Edited. Policy decides it as a new action.';
  const { state, quorum } = decided.outcome;
  return state === 'approved' ? 'Approved, quorum met.' : `Signed, ${quorum.given} of ${quorum.needed}.`;
}
