import type { Counted, ReceiptsQuery, ReceiptsView } from '@/lib/contracts/console/receipts';
import type { ReceiptFilters } from '@/lib/ports/ledger-reader';
import type { ActionId } from '@/lib/shared/ids';

import type { ConsoleParts } from '../console-parts';
import { filtersAsked } from './filters-asked';
import { pairings } from './pairings';
import { receiptRow } from './receipt-row';

/** A page of receipts, newest first. How many match is said with the first page alone: those below it are of the same list. */
export async function receiptsView(parts: Pick<ConsoleParts, 'log' | 'reads' | 'inForce' | 'cryptography'>, { limit, before, ...filters }: ReceiptsQuery): Promise<ReceiptsView> {
  const page = { limit, ...(before === undefined ? {} : { before: BigInt(before) }) };
  const asked = filtersAsked(filters, await parts.reads.now());
  const [{ rows, next }, head, { roster }, matching] = await Promise.all([
    parts.log.search(asked, page),
    parts.log.head(),
    parts.inForce.current(),
    before === undefined ? counted(parts, asked) : null,
  ]);
  const decided = new Set(rows.flatMap(({ kind, action }): ActionId[] => (kind === 'action_decided' && action !== undefined ? [action] : [])));
  const paired = pairings(await parts.reads.receiptsOfActions([...decided]), parts.cryptography.sha256);
  const items = rows.map((row) => receiptRow(row, roster?.roster, (row.kind === 'action_decided' && row.action !== undefined && paired.get(row.action)) || null));
  const size = Number(head.size);
  return { items, next: next === null ? null : Number(next), size, matching: matching === 'all' ? { value: size, about: false } : matching };
}

async function counted(parts: Pick<ConsoleParts, 'log'>, asked: ReceiptFilters): Promise<Counted | 'all'> {
  if (Object.keys(asked).length === 0) return 'all';
  const { count, exact } = await parts.log.count(asked);
  return { value: count, about: !exact };
}
