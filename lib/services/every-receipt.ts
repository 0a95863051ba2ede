import type { LedgerReader, LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';

const page = 100;

/**
 * All receipts (below an index) that the columns of rows let be found, newest first. There is no bound behind which one that matters could be crowded out by
 * copies of others: whoever writes those makes this slower, and nothing else.
 */
export async function* everyReceipt(log: Pick<LedgerReader, 'search'>, filters: ReceiptFilters, behind?: bigint): AsyncGenerator<LogRow, void> {
  for (let before = behind; ; ) {
    const { rows, next }: Awaited<ReturnType<LedgerReader['search']>> = await log.search(filters, { limit: page, ...(before === undefined ? {} : { before }) });
    yield* rows;
    if (next === null) return;
    before = next;
  }
}

/** The same at once, oldest first. */
export async function receiptsOfKind(log: Pick<LedgerReader, 'search'>, kind: NonNullable<ReceiptFilters['kind']>): Promise<readonly LogRow[]> {
  const found: LogRow[] = [];
  for await (const row of everyReceipt(log, { kind })) found.push(row);
  return found.reverse();
}
