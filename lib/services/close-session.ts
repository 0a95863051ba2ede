import type { SessionView } from '@/lib/contracts/plane/sessions';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { actorOf, type Caller } from './caller';
import { endWaiting } from './end-waiting';
import { openedBy, sessionView } from './open-session';
import type { PlaneParts } from './plane-parts';
import type { ReceiptBodyOf } from './sign-receipt';

type EndCause = ReceiptBodyOf<'session_closed'>['cause'];

/** The orchestrator ends its session. Failures: `not_found`, `session_closed`. */
export function sessionCloser(parts: PlaneParts) {
  return async (caller: Caller, id: SessionId): Promise<Result<SessionView>> => {
    const row = (await parts.stores.sessions.find([id])).get(id);
    if (!row || !openedBy(caller, row)) return fail('not_found', 'There is no such session.');
    return await endSession(parts, id, 'closed', actorOf(caller));
  };
}

/** Ends a session and withdraws whatever waits in it. */
export async function endSession(parts: PlaneParts, id: SessionId, cause: EndCause, by: Actor): Promise<Result<SessionView>> {
  return await parts.sessions.exclusively(id, async () => {
    const now = parts.clock.now();
    const closed = await parts.stores.transactor.withHead(async (tx) => {
      // The head is read under the lock: no entry can slip in between the receipt that states it and the closing.
      const row = (await parts.stores.sessions.find([id], tx)).get(id);
      if (row?.state !== 'open') return null;
      const body = { session: id, cause, by, context_head: row.head, context_seq: row.seq };
      const receipt = await parts.sign('session_closed', now, body, { session: id, agent: row.agent, person: row.human });
      const [index] = await parts.stores.ledger.append(tx, [receipt]);
      await parts.stores.sessions.close(tx, id, now);
      await parts.events.publish(tx, [{ kind: 'session_changed', id }, { kind: 'log_grew', id: String(index) }]);
      return sessionView(row, { id: receipt.id, index: Number(index) }, 'closed');
    });
    parts.sessions.forget(id);
    if (!closed) return fail('session_closed', `Session ${id} has ended.`);
    await withdrawWaiting(parts, id, cause === 'kill_switch' ? 'kill_switch' : 'session_ended', by);
    return ok(closed);
  });
}

/** What waits in an ended session is withdrawn. A crash in between is made up for by the timekeeper. */
export async function withdrawWaiting(parts: PlaneParts, id: SessionId, cause: 'session_ended' | 'kill_switch', by: Actor): Promise<void> {
  const reason = cause === 'kill_switch' ? 'The kill switch is on.' : 'The session ended.';
  const code = cause === 'kill_switch' ? 'kill_switch' : 'session_ended';
  for (const row of await parts.stores.actions.ofSession(id, ['held', 'deferred', 'permitted'])) {
    await endWaiting(parts, row, { state: 'withdrawn', code, reason, by, cause }, parts.clock.now());
  }
}
