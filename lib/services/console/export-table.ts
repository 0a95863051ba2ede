import { mostCsvRows } from '@/lib/contracts/console/receipts-csv';
import type { ReceiptFilters as Asked } from '@/lib/contracts/console/receipt-filters';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { LogRow, ReceiptFilters } from '@/lib/ports/ledger-reader';
import { byteOrderMark, csvLine } from '@/lib/shared/csv';
import { toHex } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { filtersAsked } from './views/filters-asked';

type Parts = Pick<ConsoleParts, 'log' | 'reads' | 'transactor' | 'sign' | 'ledger' | 'events' | 'workspace'>;

export type ExportedTable = { readonly name: string; readonly lines: AsyncGenerator<string, void, undefined> };

const rowsAtOnce = 1_000;

const columns: readonly (readonly [string, (row: LogRow) => string | number | null])[] = [
  ['index', ({ index }) => Number(index)],
  ['receipt', ({ id }) => id],
  ['time_utc', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['decision', ({ decision }) => decision ?? null],
  ['tool', ({ tool }) => tool ?? null],
  ['operation', ({ operation }) => operation ?? null],
  ['agent', ({ agent }) => agent ?? null],
  ['person', ({ person }) => person ?? null],
  ['rules', ({ rules }) => rules?.join(' ') ?? null],
  ['policy_revision', ({ revision }) => revision ?? null],
  ['labels', ({ labels }) => labels?.join(' ') ?? null],
  ['session', ({ session }) => session ?? null],
  ['action', ({ action }) => action ?? null],
  ['leaf_sha256', ({ leaf_hash }) => toHex(leaf_hash)],
];

/**
 * The receipts that filters let through as a table, newest first. It proves nothing: each line names its leaf's hash, under which a bundle has it. That somebody took it out is
 * a receipt of its own, written before the first line leaves; when the browser goes away half-way the receipt stays, for what left is not known.
 * Failures: `too_large`.
 */
export async function exportTable(parts: Parts, by: Actor, filters: Asked): Promise<Result<ExportedTable>> {
  const now = await parts.reads.now();
  const asked = filtersAsked(filters, now);
  const { size } = await parts.log.head();
  const { count } = await parts.log.count(asked, mostCsvRows);
  if (count > mostCsvRows) return fail('too_large', `More than ${mostCsvRows.toLocaleString('en')} receipts match.`, { fix: 'Choose a shorter time, or export a bundle.' });
  await parts.transactor.withHead(async (tx, head) => {
    const text = new URLSearchParams(Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))).toString();
    const receipt = await parts.sign(
      'export_made',
      head.now,
      {
        by, from: 0, to: Number(size), format: 'csv', receipts: count, withheld: true,
        ...(text === '' || text.length > 2048 ? {} : { filters: text }),
        ...(filters.session === undefined ? {} : { session: filters.session }),
      },
      { ...(by.kind === 'person' ? { person: by.id } : {}), ...(filters.session === undefined ? {} : { session: filters.session }) },
    );
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'log_grew', id: parts.workspace }]);
  });
  return ok({ name: `countersign-receipts-${now.slice(0, 19).replaceAll(':', '')}Z.csv`, lines: linesOf(parts, asked, size) });
}

/** Page by page as the reader takes them, so that memory holds one. What was appended since, the receipt of this very export included, is left out. */
async function* linesOf({ log }: Pick<Parts, 'log'>, asked: ReceiptFilters, size: bigint): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(columns.map(([name]) => name));
  let before: bigint | undefined;
  let left = mostCsvRows;
  do {
    const page = await log.search(asked, { limit: rowsAtOnce, ...(before === undefined ? {} : { before }) });
    const rows = page.rows.filter(({ index }) => index < size).slice(0, left);
    left -= rows.length;
    if (rows.length > 0) yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('');
    before = page.next ?? undefined;
  } while (before !== undefined && left > 0);
}
