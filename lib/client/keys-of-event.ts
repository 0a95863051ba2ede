import type { QueryKey } from '@tanstack/react-query';

import type { ConsoleEvent } from '@/lib/contracts/console/events';

import { queryKeys } from './query-keys';

/** What has to be read again after an event; null: everything. */
export function keysOfEvent(event: ConsoleEvent): readonly QueryKey[] | null {
  switch (event.kind) {
    case 'look':
    case 'epoch_raised':
      return null;
    case 'approval_changed':
      return [queryKeys.queue('').slice(0, 2), queryKeys.approval(event.id), queryKeys.overview];
    case 'action_changed':
      // A permit that was redeemed may have used up a grant.
      return [queryKeys.approvals, queryKeys.grants, queryKeys.overview];
    case 'session_changed':
      return [queryKeys.session(event.id)];
    case 'proposal_changed':
      return [queryKeys.proposals];
    case 'log_grew':
      return [queryKeys.receipts, queryKeys.sessions, queryKeys.status, queryKeys.overview];
  }
}
