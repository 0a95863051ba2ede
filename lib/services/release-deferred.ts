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

/**
 * Decides again what waits in sessions whose context a person changed in the console, which holds no key for permits. What this
 * process knows of the session is older than that, so it is read again; a change that comes meanwhile leaves the session marked.
 */
export async function lookAgain(parts: PlaneParts, limit: number): Promise<void> {
  const { policy, denied } = await parts.authority.current();
  if (!policy || denied !== null) return;
  const faults: unknown[] = [];
  for (const { session: id, at } of await parts.stores.sessions.toLookAt(limit)) {
    try {
      await parts.sessions.exclusively(id, async () => {
        const session = await parts.sessions.reload(id);
        if (session) await redecideDeferred(parts, session, 'supplied');
      });
      await parts.stores.sessions.lookedAt(id, at);
    } catch (cause) {
      faults.push(cause);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${String(faults.length)} sessions that a person changed could not be looked at.`);
}

const sessionsOf = (deferrals: readonly DeferralRow[]): readonly SessionId[] => [...new Set(deferrals.map(({ session }) => session))];
