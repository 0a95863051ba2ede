import type { ConsoleEvent } from '@/lib/contracts/console/events';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ConsoleReads } from '@/lib/ports/console-reads';
import type { DomainEvent } from '@/lib/ports/event-bus';
import { isId } from '@/lib/shared/ids';

import { sightOf } from './sight';

/** What of an event this viewer may know; null when nothing. An id alone would tell somebody that a request exists. */
export async function visibleEvent(
  reads: Pick<ConsoleReads, 'maySeeApproval' | 'maySeeAction'>,
  viewer: Viewer,
  event: DomainEvent,
): Promise<ConsoleEvent | null> {
  const auditor = viewer.permissions.includes('receipts.view');
  switch (event.kind) {
    case 'epoch_raised':
      return { kind: 'epoch_raised' };
    case 'proposal_changed':
      return viewer.permissions.includes('policy.view') ? { kind: 'proposal_changed', id: event.id } : null;
    case 'log_grew':
      return auditor ? { kind: 'log_grew', id: event.id } : null;
    case 'session_changed':
      return auditor ? { kind: 'session_changed', id: event.id } : null;
    case 'sessions_ended':
      return null;
    case 'approval_changed':
      return isId('approval', event.id) && (await reads.maySeeApproval(sightOf(viewer), event.id)) ? { kind: 'approval_changed', id: event.id } : null;
    case 'action_changed':
      return auditor || (isId('action', event.id) && (await reads.maySeeAction(sightOf(viewer), event.id))) ? { kind: 'action_changed', id: event.id } : null;
  }
}
