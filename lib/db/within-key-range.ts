import type { LedgerStore } from '@/lib/ports/ledger-store';
import { KeyNotDelegated } from '@/lib/ports/signer';

/**
 * Receipts are signed before the lock, so where one lands is known only here: behind its key's last position it would never verify.
 * Thrown inside the transaction, so nothing of it is appended; whoever made it signs again, with the key that follows.
 */
export const withinKeyRange = (store: LedgerStore): LedgerStore => ({
  ...store,
  append: async (tx, receipts) => {
    const indexes = await store.append(tx, receipts);
    for (const [at, { until }] of receipts.entries()) {
      if (until !== undefined && (indexes[at] ?? 0n) > BigInt(until)) throw new KeyNotDelegated(Number(indexes[at]));
    }
    return indexes;
  },
});
