import { isListedFor } from '@/lib/authority/roster-lookup';
import type { OpenSessionBody, SessionView } from '@/lib/contracts/plane/sessions';
import { entryHash } from '@/lib/context/entry-hash';
import type { SessionRow } from '@/lib/ports/session-store';
import { fail, ok, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import type { Caller } from './caller';
import { later } from './later';
import { childOpener } from './open-child-session';
import type { Idempotency } from './plane-services';
import { salted } from './permit-entry';
import type { PlaneParts } from './plane-parts';
import { beingAnswered, repeatedOpening, sessionView } from './session-view';

/**
 * Opens a session for a human with the original request as its first entry: recorded by the orchestrator, never by
 * the agent. With `parent`, a child of that session (see open-child-session.ts), which an agent may open too. Failures:
 * `forbidden` (an agent without a parent), `human_not_listed`, `not_found` (no such agent or parent), `idempotency_conflict`.
 */
export function sessionOpener(parts: PlaneParts) {
  const openChild = childOpener(parts);
  return async (caller: Caller, body: OpenSessionBody, idempotency: Idempotency | null): Promise<Result<SessionView>> => {
    const repeated = idempotency && (await repeatedOpening(parts, caller, idempotency));
    if (repeated) return repeated;
    if (caller.kind === 'orchestrator' && !isListedFor(caller.listed, 'humans', body.human)) {
      return fail('human_not_listed', `${caller.subject} is not listed for ${body.human}.`, { fix: 'An owner signs a roster that lists them.' });
    }
    if (body.parent !== undefined) return await openChild(caller, { ...body, parent: body.parent }, idempotency);
    if (caller.kind !== 'orchestrator') return fail('forbidden', 'An agent opens no session of its own.', { fix: 'Name the session that it is a child of.' });
    return await openOwn(parts, caller, body, idempotency);
  };
}

async function openOwn(parts: PlaneParts, caller: Caller, body: OpenSessionBody, idempotency: Idempotency | null): Promise<Result<SessionView>> {
  let inForce = await parts.authority.current();
  // An agent that was registered a moment ago may not have been heard of yet.
  if (!inForce.agents.has(body.agent)) inForce = await parts.authority.refresh();
  const agent = inForce.agents.get(body.agent);
  if (!agent || agent.suspended_at !== null) return fail('not_found', `There is no agent ${body.agent}.`, { fix: 'An admin registers it.' });
  const now = parts.clock.now();
  const id = parts.ids.make('session');
  const entry = salted(parts, { kind: 'request', at: now, text: body.request, assurance: 'orchestrator' });
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
  // Another call with this key was first; it is committed by now, and the answer is the same.
  if (index === null) return (idempotency && (await repeatedOpening(parts, caller, idempotency))) ?? beingAnswered();
  return ok(sessionView(row, { id: receipt.id, index: Number(index) }, 'open'));
}
