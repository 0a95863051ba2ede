import type { ReceiptsQuery, ReceiptsView } from '@/lib/contracts/console/receipts';
import type { ReceiptFilters } from '@/lib/ports/ledger-reader';

import type { ActionId } from '@/lib/shared/ids';

import type { ConsoleParts } from '../console-parts';
import { pairings } from './pairings';
import { receiptRow } from './receipt-row';

/** A page of receipts, newest first. */
export async function receiptsView(parts: Pick<ConsoleParts, 'log' | 'reads' | 'inForce' | 'cryptography'>, { limit, before, ...filters }: ReceiptsQuery): Promise<ReceiptsView> {
  const page = { limit, ...(before === undefined ? {} : { before: BigInt(before) }) };
  const [{ rows, next }, head, { roster }] = await Promise.all([parts.log.search(given(filters), page), parts.log.head(), parts.inForce.current()]);
  const decided = new Set(rows.flatMap(({ kind, action }): ActionId[] => (kind === 'action_decided' && action !== undefined ? [action] : [])));
  const paired = pairings(await parts.reads.receiptsOfActions([...decided]), parts.cryptography.sha256);
  const items = rows.map((row) => receiptRow(row, roster?.roster, (row.kind === 'action_decided' && row.action !== undefined && paired.get(row.action)) || null));
  return { items, next: next === null ? null : Number(next), size: Number(head.size) };
}

/** Only what was asked for: a filter that is undefined is no filter. */
const given = (filters: Omit<ReceiptsQuery, 'limit' | 'before'>): ReceiptFilters => {
  const { kind, decision, agent, person, tool, label, revision, session, action, from, to, text } = filters;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(decision === undefined ? {} : { decision }),
    ...(agent === undefined ? {} : { agent }),
    ...(person === undefined ? {} : { person }),
    ...(tool === undefined ? {} : { tool }),
    ...(label === undefined ? {} : { label }),
    ...(revision === undefined ? {} : { revision }),
    ...(session === undefined ? {} : { session }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(text === undefined ? {} : { text }),
  };
};
