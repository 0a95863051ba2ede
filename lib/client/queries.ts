import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import type { AgentsView } from '@/lib/contracts/console/agents';
import type { ApprovalDetail, QueueQuery, QueueView } from '@/lib/contracts/console/approvals';
import type { DeferralDetail, DeferralsView } from '@/lib/contracts/console/deferrals';
import type { GuardDirectoriesView } from '@/lib/contracts/console/guard-directories';
import type { GrantsView } from '@/lib/contracts/console/grants';
import type { EnrolmentView, OwnKeysView } from '@/lib/contracts/console/keys';
import type { SessionLabelsView } from '@/lib/contracts/console/labels';
import type { NoticesView } from '@/lib/contracts/console/notices';
import type { ConsoleStatus, OverviewView } from '@/lib/contracts/console/overview';
import type { PersonView } from '@/lib/contracts/console/people';
import type { PoliciesView, RevisionTextView } from '@/lib/contracts/console/policies';
import type { PendingRosterChange } from '@/lib/contracts/console/roster';
import type { TrustView } from '@/lib/contracts/console/trust';
import type { PolicyEditorView } from '@/lib/contracts/console/policy-drafts';
import type { ProofView, SuggestionsView } from '@/lib/contracts/console/proofs';
import type { ProposalDetail, ProposalsView } from '@/lib/contracts/console/proposals';
import type { ReceiptDetail, ReceiptsQuery, ReceiptsView, SessionDetail } from '@/lib/contracts/console/receipts';

import { readView } from './parse-answer';
import { queryKeys } from './query-keys';
import { searchText } from './search-text';

/** One set of options a read: the page on the server fills the same key that the browser goes on with. */
const reading = <View>(path: string) => ({ queryFn: ({ signal }: { readonly signal: AbortSignal }) => readView<View>(path, signal) });

export const statusQuery = () => queryOptions({ queryKey: queryKeys.status, ...reading<ConsoleStatus>('/api/status') });

export const guardDirectoriesQuery = () => queryOptions({ queryKey: queryKeys.guardDirectories, ...reading<GuardDirectoriesView>('/api/guard-directories') });

export const overviewQuery = () => queryOptions({ queryKey: queryKeys.overview, ...reading<OverviewView>('/api/overview') });

export function queueListQuery(query: QueueQuery) {
  const search = searchText(query);
  return queryOptions({ queryKey: queryKeys.queue(search), ...reading<QueueView>(`/api/approvals?${search}`) });
}

export const approvalDetailQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.approval(id), ...reading<ApprovalDetail>(`/api/approvals/${encodeURIComponent(id)}`) });

/** The page before stays on screen while the next is read, so that the table does not jump. */
export function receiptPageQuery(query: ReceiptsQuery) {
  const search = searchText(query);
  return queryOptions({ queryKey: queryKeys.receiptPage(search), placeholderData: keepPreviousData, ...reading<ReceiptsView>(`/api/receipts?${search}`) });
}

/**
 * Everything below a page. Receipts never change, and reading hundreds of pages again at each event would be absurd: only
 * while one is loaded does it follow what happens to its decisions.
 */
export const olderReceiptsQuery = (query: ReceiptsQuery, before: number) =>
  infiniteQueryOptions({
    queryKey: queryKeys.olderReceipts(searchText(query), before),
    initialPageParam: before,
    queryFn: ({ pageParam, signal }) => readView<ReceiptsView>(`/api/receipts?${searchText({ ...query, limit: 200, before: pageParam })}`, signal),
    getNextPageParam: ({ next }) => next,
    staleTime: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? 'static' : 0),
  });

export const receiptDetailQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.receipt(id), ...reading<ReceiptDetail>(`/api/receipts/${encodeURIComponent(id)}`) });

export const sessionDetailQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.session(id), ...reading<SessionDetail>(`/api/sessions/${encodeURIComponent(id)}`) });

export const sessionLabelsQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.sessionLabels(id), ...reading<SessionLabelsView>(`/api/sessions/${encodeURIComponent(id)}/labels`) });

export const proposalsQuery = () => queryOptions({ queryKey: queryKeys.proposalList, ...reading<ProposalsView>('/api/proposals') });

export const proposalDetailQuery = (id: string) => queryOptions({ queryKey: queryKeys.proposal(id), ...reading<ProposalDetail>(`/api/proposals/${encodeURIComponent(id)}`) });

export const policiesQuery = () => queryOptions({ queryKey: queryKeys.policies, ...reading<PoliciesView>('/api/policies') });

/** Read once: from then on the page knows more than the server, which it saves to. */
export const policyEditorQuery = () =>
  queryOptions({ queryKey: queryKeys.policyEditor, staleTime: 'static', ...reading<PolicyEditorView>('/api/policies/editor') });

export const revisionTextQuery = (revision: number) =>
  queryOptions({ queryKey: queryKeys.revision(revision), ...reading<RevisionTextView>(`/api/policies/${revision}`) });

export const agentsQuery = () => queryOptions({ queryKey: queryKeys.agents, ...reading<AgentsView>('/api/agents') });

export const grantsQuery = () => queryOptions({ queryKey: queryKeys.grants, ...reading<GrantsView>('/api/grants') });

export const peopleQuery = () =>
  queryOptions({ queryKey: queryKeys.people, ...reading<{ readonly people: readonly PersonView[] }>('/api/people') });

export const ownKeysQuery = () => queryOptions({ queryKey: queryKeys.ownKeys, ...reading<OwnKeysView>('/api/keys') });

export const enrolmentsQuery = () =>
  queryOptions({ queryKey: queryKeys.enrolments, ...reading<{ readonly enrolments: readonly EnrolmentView[] }>('/api/enrolments') });

/** What would run never changes. Read once: after its end there is nothing to read, while the page still shows it. */
export const deferralDetailQuery = (id: string) =>
  queryOptions({ queryKey: queryKeys.deferral(id), staleTime: 'static', ...reading<DeferralDetail>(`/api/deferrals/${encodeURIComponent(id)}`) });

export const deferralsQuery = () => queryOptions({ queryKey: queryKeys.deferrals, ...reading<DeferralsView>('/api/deferrals') });

export const trustQuery = () => queryOptions({ queryKey: queryKeys.trust, ...reading<TrustView>('/api/trust') });

/** While something waits to be delivered it is looked at again: a delivery is no event. */
export const noticesQuery = () =>
  queryOptions({
    queryKey: queryKeys.notices, ...reading<NoticesView>('/api/notices'),
    refetchInterval: ({ state }) => (state.data?.channels.some(({ waiting }) => waiting > 0) === true ? 2000 : false),
  });

/** While it is worked on it is read every second: percent is no event. */
export const proofQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.proof(id), ...reading<ProofView>(`/api/proposals/${encodeURIComponent(id)}/proof`),
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' || state.data?.job?.state === 'waiting' ? 1000 : false),
  });

export const suggestionsQuery = () => queryOptions({ queryKey: queryKeys.suggestions, ...reading<SuggestionsView>('/api/suggestions') });

export const pendingRostersQuery = () => queryOptions({ queryKey: queryKeys.pendingRosters, ...reading<{ readonly pending: readonly PendingRosterChange[] }>('/api/pending-rosters') });
