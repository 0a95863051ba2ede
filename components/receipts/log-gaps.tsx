'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { Button } from '@/components/ui/button';
import { EmptyState, ErrorState } from '@/components/ui/pane-states';
import { Table, Th } from '@/components/ui/table';
import { shownFault } from '@/lib/client/parse-answer';
import { gapsQuery } from '@/lib/client/receipt-queries';

/** Looks at every position of the log, stretch by stretch, as long as the page is open, and names those that no row holds. */
export function LogGaps() {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(gapsQuery());
  // Outside system: the server, which is asked for the next stretch as soon as one is there.
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage]);

  const pages = data?.pages ?? [];
  const last = pages.at(-1);
  const gaps = pages.flatMap((page) => page.gaps);
  const missing = gaps.reduce((sum, { from, to }) => sum + (to - from + 1), 0);
  const number = (value: number) => value.toLocaleString('en');
  if (error !== null) return <ErrorState title="The log could not be looked at." code={shownFault(error).code} action={<Button small onClick={() => void (data === undefined ? refetch() : fetchNextPage())}>Go on</Button>}>{shownFault(error).detail} Up to position {number(last?.to ?? 0)} it was.</ErrorState>;
  const done = last !== undefined && last.next === null;
  return (
    <>
      <p className="meta list-means" role="status">{last === undefined ? 'Looking at the log.' : `${number(last.to)} of ${number(last.size)} positions were looked at${done ? '' : ', going on'}.`}</p>
      {gaps.length > 0 ? (
        <Table caption="Positions that no row holds" variant="ledger">
          <thead><tr><Th className="width-who">Positions</Th><Th>How many</Th></tr></thead>
          <tbody>
            {gaps.map(({ from, to }) => <tr key={from} className="bad"><td data-col="what" className="mono">{from === to ? number(from) : `${number(from)} to ${number(to)}`}</td><td data-col="who">{number(to - from + 1)} missing</td></tr>)}
            <tr className="close"><td colSpan={2}>{number(missing)} {missing === 1 ? 'position' : 'positions'} in {number(gaps.length)} {gaps.length === 1 ? 'gap' : 'gaps'}</td></tr>
          </tbody>
        </Table>
      ) : done ? <EmptyState title="No position is missing.">Every position from the first to {number(last.size - 1)} is held by a row. Whether each row is what was signed is what its verdict says, and <code>countersign fsck</code> for all of them.</EmptyState> : null}
    </>
  );
}
