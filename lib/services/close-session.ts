import type { SessionView } from '@/lib/contracts/plane/sessions';
import { entryHash } from '@/lib/context/entry-hash';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SessionRow } from '@/lib/ports/session-store';
import type { Tx } from '@/lib/ports/transaction';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { actorOf, type Caller } from './caller';
import { endWaiting } from './end-waiting';
import type { PlaneParts } from './plane-parts';
import { isKilled } from './is-killed';
import { openedBy, sessionView } from './session-view';
import type { ReceiptBodyOf } from './sign-receipt';

type EndCause = ReceiptBodyOf<'session_closed'>['cause'];

/** The orchestrator ends its session, or an agent a child that is under a session of its own. Failures: `not_found`, `session_closed`. */
export function sessionCloser(parts: PlaneParts) {
  return async (caller: Caller, id: SessionId): Promise<Result<SessionView>> => {
    const row = (await parts.stores.sessions.find([id])).get(id);
    if (!row || !(openedBy(caller, row) || (await handedOnBy(parts, caller, row)))) return fail('not_found', 'There is no such session.');
    return await endSession(parts, id, 'closed', actorOf(caller));
  };
}

async function handedOnBy(parts: PlaneParts, caller: Caller, { parent }: SessionRow): Promise<boolean> {
  if (caller.kind !== 'agent' || parent === null) return false;
  return (await parts.stores.sessions.find([parent])).get(parent)?.agent === caller.subject;
}

/**
 * Ends a session and withdraws whatever waits in it. Its children end before it: none outlives it, not even when a crash comes in
 * between, and under the lock nothing opens a child any more that this did not see.
 */
export async function endSession(parts: PlaneParts, id: SessionId, cause: EndCause, by: Actor): Promise<Result<SessionView>> {
  for (;;) {
    for (const child of await parts.stores.sessions.openChildren(id)) await endSession(parts, child, 'parent_ended', by);
    const closed = await parts.sessions.inLine(id, async () => await closeOnce(parts, id, cause, by));
    if (closed === 'has_children') continue;
    if (!closed) return fail('session_closed', `Session ${id} has ended.`);
    await withdrawWaiting(parts, id, cause === 'kill_switch' ? 'kill_switch' : 'session_ended', by);
    return ok(closed);
  }
}

async function closeOnce(parts: PlaneParts, id: SessionId, cause: EndCause, by: Actor): Promise<SessionView | 'has_children' | null> {
  const now = parts.clock.now();
  const closed = await parts.stores.transactor.withHead(async (tx) => {
    // The head is read under the lock: no entry can slip in between the receipt that states it and the closing.
    const row = (await parts.stores.sessions.find([id], tx)).get(id);
    if (row?.state !== 'open') return null;
    if ((await parts.stores.sessions.openChildren(id, tx)).length > 0) return 'has_children';
    const body = { session: id, cause, by, context_head: row.head, context_seq: row.seq };
    const receipt = await parts.sign('session_closed', now, body, { session: id, agent: row.agent, person: row.human });
    const [index] = await parts.stores.ledger.append(tx, [receipt]);
    await parts.stores.sessions.close(tx, id, now);
    if (row.parent !== null) await tellParent(parts, tx, row.parent, id, by, now);
    await parts.events.publish(tx, [{ kind: 'session_changed', id }, { kind: 'log_grew', id: String(index) }]);
    return sessionView(row, { id: receipt.id, index: Number(index) }, 'closed');
  });
  parts.sessions.forget(id);
  return closed;
}

/** From here on, what comes back to the parent need not be this child's words. Whoever has the parent in memory finds its head moved. */
async function tellParent(parts: PlaneParts, tx: Tx, parent: SessionId, child: SessionId, by: Actor, now: string): Promise<void> {
  const row = (await parts.stores.sessions.find([parent], tx)).get(parent);
  if (row?.state !== 'open') return;
  const entry = { kind: 'delegation', at: now, child, event: 'ended' } as const;
  const seq = row.seq + 1;
  const hash = entryHash(parts.sha256, row.head, entry, seq);
  const body = { session: parent, child, event: 'ended', by, context_head: hash, context_seq: seq } as const;
  const receipt = await parts.sign('delegation_recorded', now, body, { session: parent, agent: row.agent, person: row.human });
  await parts.stores.ledger.append(tx, [receipt]);
  await parts.stores.sessions.addEntries(tx, [{ session: parent, seq, hash, entry }]);
  await parts.stores.sessions.moveHeads(tx, [{ session: parent, from: row.head, to: hash, seq, at: now }]);
}

/** What waits in an ended session is withdrawn. A crash in between is made up for by the timekeeper. */
export async function withdrawWaiting(parts: PlaneParts, id: SessionId, cause: 'session_ended' | 'kill_switch', by: Actor): Promise<void> {
  const reason = cause === 'kill_switch' ? 'The kill switch is on.' : 'The session ended.';
  const code = cause === 'kill_switch' ? 'kill_switch' : 'session_ended';
  const { switches } = await parts.authority.current();
  for (const row of await parts.stores.actions.ofSession(id, ['held', 'deferred', 'permitted'])) {
    // A switch over one tool leaves what the session waits for with others.
    if (cause === 'kill_switch' && !isKilled({ switches }, row.agent, row.tool)) continue;
    await endWaiting(parts, row, { state: 'withdrawn', code, reason, by, cause }, parts.clock.now());
  }
}
