import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import type { ReceiptEvidence } from '@/lib/contracts/console/receipt-evidence';
import type { GapsView, ReconciliationCounts, ReconciliationList, ReconciliationView } from '@/lib/contracts/console/reconciliation';
import type { SessionTimelineView } from '@/lib/contracts/console/session-timeline';
import type { SavedViewsView } from '@/lib/contracts/console/saved-views';

import { readView } from './parse-answer';
import { queryKeys } from './query-keys';
import { searchText } from './search-text';

export const savedViewsQuery = () => queryOptions({ queryKey: queryKeys.savedViews, queryFn: ({ signal }) => readView<SavedViewsView>('/api/receipts/views', signal) });

export const reconciliationCountsQuery = () =>
  queryOptions({ queryKey: queryKeys.reconciliation, queryFn: ({ signal }) => readView<ReconciliationCounts>('/api/receipts/reconciliation/counts', signal) });

export const reconciliationListQuery = (list: ReconciliationList) =>
  infiniteQueryOptions({
    queryKey: queryKeys.reconciliationList(list),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readView<ReconciliationView>(`/api/receipts/reconciliation?${searchText({ list, limit: 100, after: pageParam === '' ? undefined : pageParam })}`, signal),
    getNextPageParam: ({ next }) => next,
  });

/** The whole log, stretch by stretch. Positions that were held once are held for ever, so nothing is looked at twice. */
export const gapsQuery = () =>
  infiniteQueryOptions({
    queryKey: queryKeys.gaps,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => readView<GapsView>(`/api/receipts/gaps?from=${String(pageParam)}`, signal),
    getNextPageParam: ({ next }) => next,
    staleTime: 60_000,
  });

export const receiptEvidenceQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.evidence(id), queryFn: ({ signal }) => readView<ReceiptEvidence>(`/api/receipts/${encodeURIComponent(id)}/evidence`, signal) });

/** The session around a receipt; further pages are asked for by their cursors. */
export const sessionTimelineQuery = (session: string, around: number) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.session(session), 'around', around],
    initialPageParam: `around=${String(around)}`,
    queryFn: ({ pageParam, signal }) => readView<SessionTimelineView>(`/api/sessions/${encodeURIComponent(session)}/timeline?${pageParam}`, signal),
    getNextPageParam: ({ newer }) => (newer === null ? null : `newer=${newer}`),
    getPreviousPageParam: ({ older }) => (older === null ? null : `older=${older}`),
    staleTime: 'static',
  });
