import type { LedgerReader, LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';

const page = 100;

/**
 * Receipts of a kind behind the position `seen`, oldest first, of a log of `size` receipts. A row that lies beyond the log is passed over: whoever
 * may write rows could put one far ahead, and a process that took it for read would never look at any true one that comes in between.
 */
export async function unreadReceipts(log: Pick<LedgerReader, 'search'>, kind: NonNullable<ReceiptFilters['kind']>, seen: bigint, size: bigint): Promise<readonly LogRow[]> {
  const found: LogRow[] = [];
  for (let before = size; ; ) {
    const { rows, next }: Awaited<ReturnType<LedgerReader['search']>> = await log.search({ kind }, { limit: page, before });
    const fresh = rows.filter(({ index }) => index > seen && index < size);
    found.push(...fresh);
    if (next === null || rows.some(({ index }) => index <= seen)) return found.reverse();
    before = next;
  }
}
