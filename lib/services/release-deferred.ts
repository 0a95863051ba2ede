import type { DeferralRow } from '@/lib/ports/approval-store';
import type { SessionId } from '@/lib/shared/ids';

import type { PlaneParts } from './plane-parts';
import { redecideDeferred } from './redecide-deferred';

/**
 * Decides again what something has changed for since: an action that it waited for ended, or policy, roster or a switch
 * changed. Looked up in the database, so a restart resumes it and an event that got lost delays it by a round at most.
 */
export async function releaseDeferred(parts: PlaneParts, limit: number): Promise<void> {
  const { policy, denied, epoch } = await parts.authority.current();
  // While everything is denied nothing is decided: what waits keeps its own end.
  if (!policy || denied !== null) return;
  for (const id of sessionsOf(await parts.stores.approvals.releasableDeferrals(epoch, limit))) {
    await parts.sessions.exclusively(id, async (session) => {
      if (session) await redecideDeferred(parts, session, 'requeued');
    });
  }
}

const sessionsOf = (deferrals: readonly DeferralRow[]): readonly SessionId[] => [...new Set(deferrals.map(({ session }) => session))];
