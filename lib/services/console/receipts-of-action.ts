import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import type { ActionId } from '@/lib/shared/ids';

/** More than an action's life can write: decisions made again, votes, permit, outcome. */
const most = 300;

/** Receipts of one action, oldest first. */
export const receiptsOfAction = async (log: Pick<LedgerReader, 'search'>, action: ActionId): Promise<readonly LogRow[]> =>
  (await log.search({ action }, { limit: most })).rows.toReversed();
