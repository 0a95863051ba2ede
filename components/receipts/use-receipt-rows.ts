'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';

import { shownFault } from '@/lib/client/parse-answer';
import { olderReceiptsQuery } from '@/lib/client/queries';
import { pageLimit } from '@/lib/client/receipts-url';
import type { SteadyRow } from '@/lib/client/steady-list';
import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ReceiptRow, ReceiptsQuery } from '@/lib/contracts/console/receipts';

export type Older = {
  /** The log goes on below what is loaded, or may. */
  readonly more: boolean;
  readonly loading: boolean;
  readonly fault: ShownFault | null;
  /** Does nothing while a page is on its way or after one failed; `again` asks whatever happened. */
  readonly load: () => void;
  readonly again: () => void;
};

/** The newest page as it is held still on screen, and whatever was loaded below it. Null rows: not read yet. */
export function useReceiptRows(query: ReceiptsQuery, steady: readonly SteadyRow<ReceiptRow>[] | null, read: readonly ReceiptRow[] | undefined): { readonly rows: readonly ReceiptRow[] | null; readonly older: Older } {
  // While another filter is read the page before stays, so that the table does not jump.
  const newest = useStable(steady?.map(({ item }) => item) ?? read ?? null);
  const before = newest !== null && newest.length >= pageLimit ? newest.at(-1)?.index : undefined;
  const { data, error, hasNextPage, isFetchingNextPage, isPending, fetchNextPage, refetch } = useInfiniteQuery({ ...olderReceiptsQuery(query, before ?? 0), enabled: before !== undefined && steady !== null });
  const rows = useMemo(() => (newest === null ? null : before === undefined ? newest : [...newest, ...(data?.pages ?? []).flatMap(({ items }) => items)]), [newest, before, data]);
  const more = before !== undefined && (data === undefined || hasNextPage);
  const ready = data !== undefined && hasNextPage && !isFetchingNextPage && error === null;
  const load = useCallback(() => {
    if (ready) void fetchNextPage();
  }, [ready, fetchNextPage]);
  return {
    rows,
    older: { more, loading: more && error === null && (isPending || isFetchingNextPage), fault: error === null ? null : shownFault(error), load, again: () => void (data === undefined ? refetch() : fetchNextPage()) },
  };
}

/** The same array while its rows are the same, for a table's row model is built from it. */
function useStable(rows: readonly ReceiptRow[] | null): readonly ReceiptRow[] | null {
  const [kept, setKept] = useState(rows);
  if (rows === kept || (rows !== null && kept !== null && rows.length === kept.length && rows.every((row, index) => row === kept[index]))) return kept;
  setKept(rows);
  return rows;
}
