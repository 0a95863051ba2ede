import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { ActionId } from '@/lib/shared/ids';

/** What ends an action's right to run, as the log names it. */
type Ending = 'permit_redeemed' | 'action_withdrawn' | 'permit_issued';

/**
 * Which of these the log already says of an action: a row can be set back, a receipt stays. No signature is checked,
 * because a receipt that somebody made up here could only stop what would run.
 */
export async function endedInLog(log: Pick<LedgerReader, 'search'>, action: ActionId, kinds: readonly Ending[]): Promise<Ending | null> {
  for (const kind of kinds) if ((await log.search({ action, kind }, { limit: 1 })).rows.length > 0) return kind;
  return null;
}
