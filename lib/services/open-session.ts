import { isListedFor } from '@/lib/authority/roster-lookup';
import type { OpenSessionBody, SessionView } from '@/lib/contracts/plane/sessions';
import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry } from '@/lib/context/entry';
import type { SessionRow } from '@/lib/ports/session-store';
import { isId, type SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import type { Caller } from './caller';
import { later } from './later';
import type { Idempotency } from './plane-services';
import type { PlaneParts } from './plane-parts';
import { sessionStateAt } from './session-state-at';

/**
 * Opens a session for a human with the original request as its first entry: recorded by the orchestrator, never by
 * the agent. Failures: `human_not_listed`, `not_found` (no such agent), `idempotency_conflict`.
 */
export function sessionOpener(parts: PlaneParts) {
  return async (caller: Caller, body: OpenSessionBody, idempotency: Idempotency | null): Promise<Result<SessionView>> => {
    const repeated = idempotency && (await repeatedCall(parts, caller, idempotency));
    if (repeated) return repeated;
    if (!isListedFor(caller.listed, 'humans', body.human)) return fail('human_not_listed', `${caller.subject} is not listed for ${body.human}.`, { fix: 'An owner signs a roster that lists them.' });
    let inForce = await parts.authority.current();
    // An agent that was registered a moment ago may not have been heard of yet.
    if (!inForce.agents.has(body.agent)) inForce = await parts.authority.refresh();
    const agent = inForce.agents.get(body.agent);
    if (!agent || agent.suspended_at !== null) return fail('not_found', `There is no agent ${body.agent}.`, { fix: 'An admin registers it.' });
    const now = parts.clock.now();
    const id = parts.ids.make('session');
    const entry: ChainedEntry['entry'] = { kind: 'request', at: now, text: body.request, assurance: 'orchestrator' };
    const first = { session: id, seq: 1, hash: entryHash(parts.sha256, null, entry, 1), entry };
    const row: SessionRow = {
      id, human: body.human, service: caller.credential, agent: agent.id, parent: null, expected_scope: body.expected_scope ?? null,
      state: 'open', opened_at: now, began_at: now, last_at: now, head: first.hash, seq: 1,
    };
    const request = freshContent(parts.sha256, parts.ids.salt(), body.request);
    const receipt = await parts.sign(
      'session_opened',
      now,
      {
        session: id,
        human: body.human,
        service: caller.credential,
        agent: agent.id,
        role: agent.role,
        scope: agent.scope,
        delegation: [],
        request_digest: request.digest,
        request_assurance: 'orchestrator',
        expires_at: later(now, inForce.policy?.compiled.sessions.ttl_s ?? 24 * 3600),
        context_head: first.hash,
        context_seq: 1,
      },
      { session: id, agent: agent.id, person: body.human },
    );
    const index = await parts.stores.transactor.withHead(async (tx) => {
      if (idempotency && (await parts.stores.credentials.idempotent(tx, { credential: caller.credential, ...idempotency, subject: id }))) return null;
      const [at] = await parts.stores.ledger.append(tx, [receipt]);
      await parts.stores.sessions.insert(tx, row);
      await parts.stores.sessions.addEntries(tx, [first]);
      await parts.stores.content.add(tx, [request]);
      await parts.events.publish(tx, [{ kind: 'session_changed', id }, { kind: 'log_grew', id: String(at) }]);
      return at ?? null;
    });
    if (index === null) {
      // Another call with this key was first; it is committed by now, and the answer is the same.
      const first = idempotency && (await repeatedCall(parts, caller, idempotency));
      return first ?? fail('conflict', 'Another call with this idempotency key is being answered.', { fix: 'Send it again.' });
    }
    return ok(sessionView(row, { id: receipt.id, index: Number(index) }, 'open'));
  };
}

/** What a call with this key answered before, as it stands now. Null: there was none. */
async function repeatedCall(parts: PlaneParts, caller: Caller, { key, body_digest }: Idempotency): Promise<Result<SessionView> | null> {
  const before = await parts.stores.credentials.findIdempotent(caller.credential, key);
  if (!before) return null;
  if (before.body_digest !== body_digest) return fail('idempotency_conflict', 'This idempotency key came with another body before.');
  return isId('session', before.subject) ? await viewOfSession(parts, before.subject) : fail('idempotency_conflict', 'This idempotency key made something else before.');
}

export type ReceiptPlace = { readonly id: string; readonly index: number };

export const sessionView = (row: SessionRow, receipt: ReceiptPlace, state: SessionView['state']): SessionView => ({
  id: row.id, human: row.human, agent: row.agent, state, opened_at: row.opened_at, receipt: { ...receipt },
});

/** A session as it stands, with the receipt of its opening. */
export async function viewOfSession(parts: PlaneParts, id: SessionId): Promise<Result<SessionView>> {
  const row = (await parts.stores.sessions.find([id])).get(id);
  const page = await parts.reader.search({ session: id, kind: 'session_opened' }, { limit: 1 });
  const [receipt] = page.rows;
  if (!row || !receipt) return fail('not_found', 'There is no such session.');
  const inForce = await parts.authority.current();
  return ok(sessionView(row, { id: receipt.id, index: Number(receipt.index) }, sessionStateAt(row, inForce.policy?.compiled ?? null, parts.clock.now())));
}

/** What a session's caller has to be: the orchestrator that opened it. Everybody else sees nothing. */
export const openedBy = (caller: Caller, row: Pick<SessionRow, 'service'>): boolean => caller.kind === 'orchestrator' && row.service === caller.credential;

