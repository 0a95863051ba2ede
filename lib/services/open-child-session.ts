import type { OpenSessionBody, SessionView } from '@/lib/contracts/plane/sessions';
import { entryHash } from '@/lib/context/entry-hash';
import type { ChainedEntry, ContextEntry } from '@/lib/context/entry';
import type { Lineage } from '@/lib/context/session-state';
import type { AgentRow } from '@/lib/ports/credential-store';
import type { SessionRow } from '@/lib/ports/session-store';
import { bounds } from '@/lib/shared/bounds';
import type { Digest, SessionId } from '@/lib/shared/ids';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import { actorOf, type Caller } from './caller';
import type { InForce } from './in-force';
import { later } from './later';
import { chained, salted } from './permit-entry';
import type { Idempotency } from './plane-services';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';
import { sessionStateAt } from './session-state-at';
import { beingAnswered, openedBy, repeatedOpening, sessionView } from './session-view';

const attempts = 8;
/** Open at once under one session. */
const mostChildren = 50;

type ChildBody = OpenSessionBody & { readonly parent: SessionId };

/**
 * Opens a session under another one, for the same human. It goes on from the parent's context at the head that its first entry
 * names, and so starts with every label, value, taint and request of it; both chains commit together. An orchestrator records a
 * further request of the human; what an agent asks of the child is its own words and no request. Failures: `not_found` (no such
 * parent or agent, or not the caller's), `session_closed`, `session_expired`, `forbidden`, `rate_limited`.
 */
export function childOpener(parts: PlaneParts) {
  return async (caller: Caller, body: ChildBody, idempotency: Idempotency | null): Promise<Result<SessionView>> =>
    await parts.sessions.exclusively(body.parent, async (known) => {
      let parent = known;
      let inForce = await parts.authority.current();
      if (!inForce.agents.has(body.agent)) inForce = await parts.authority.refresh();
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (!parent || !mayDelegate(caller, parent.row)) return fail('not_found', 'There is no such session.');
        const now = parts.clock.now();
        const agent = inForce.agents.get(body.agent);
        const refusal = refusalOf(caller, body, parent, agent, inForce, now);
        if (refusal || !agent) return { ok: false, error: refusal ?? { code: 'not_found', detail: `There is no agent ${body.agent}.` } };
        const opened = await openOnce(parts, { caller, body, idempotency, parent, agent, inForce, now });
        if (opened) return opened;
        parent = await parts.sessions.reload(body.parent);
      }
      return fail('overloaded', 'The parent’s context kept changing while the child was opened.', { fix: 'Send it again.' });
    });
}

const mayDelegate = (caller: Caller, row: SessionRow): boolean => openedBy(caller, row) || (caller.kind === 'agent' && row.agent === caller.subject);

function refusalOf(caller: Caller, body: ChildBody, { row, state }: LiveSession, agent: AgentRow | undefined, inForce: InForce, now: string): Fault | null {
  const life = sessionStateAt(row, inForce.policy?.compiled ?? null, now);
  if (life !== 'open') return { code: life === 'closed' ? 'session_closed' : 'session_expired', detail: `Session ${row.id} is ${life}.` };
  if (body.human !== row.human) return { code: 'forbidden', detail: 'A child session is for the human of its parent.' };
  if (!agent || agent.suspended_at !== null) return { code: 'not_found', detail: `There is no agent ${body.agent}.`, fix: 'An admin registers it.' };
  if (caller.kind === 'agent' && !isWithin(agent, inForce.agents.get(caller.subject))) {
    return { code: 'forbidden', detail: 'An agent hands on to agents of its own role, with no more than its own scope.', fix: 'Let the orchestrator open the session.' };
  }
  if ((state.lineage?.delegation.length ?? 0) >= bounds.sessionDepth) return { code: 'forbidden', detail: `Sessions are at most ${String(bounds.sessionDepth)} deep.` };
  if (state.children.size >= mostChildren) return { code: 'rate_limited', detail: `${String(mostChildren)} children are open.`, fix: 'End one first.' };
  return null;
}

const isWithin = (agent: AgentRow, own: AgentRow | undefined): boolean => own !== undefined && agent.role === own.role && agent.scope.every((one) => own.scope.includes(one));

type Opening = {
  readonly caller: Caller;
  readonly body: ChildBody;
  readonly idempotency: Idempotency | null;
  readonly parent: LiveSession;
  readonly agent: AgentRow;
  readonly inForce: InForce;
  readonly now: string;
};

/** Null: the parent moved meanwhile, look again. */
async function openOnce(parts: PlaneParts, { caller, body, idempotency, parent, agent, inForce, now }: Opening): Promise<Result<SessionView> | null> {
  const id = parts.ids.make('session');
  const told = chained(parts, parent, { kind: 'delegation', at: now, child: id, event: 'opened' });
  const lineage: Lineage = {
    parent: parent.row.id, parent_head: told.hash, parent_seq: told.seq, began_at: parent.row.began_at,
    delegation: [{ session: parent.row.id, agent: parent.row.agent, family_n: parent.state.familyN }, ...(parent.state.lineage?.delegation ?? [])],
  };
  const asked = caller.kind === 'orchestrator';
  const first: ContextEntry[] = [{ kind: 'inherited', at: now, ...lineage }];
  if (asked) first.push(salted(parts, { kind: 'request', at: now, text: body.request, assurance: 'orchestrator' }));
  const { entries, head } = chainOf(parts, id, first);
  const row: SessionRow = {
    id, human: body.human, service: asked ? caller.credential : parent.row.service, agent: agent.id, parent: parent.row.id,
    expected_scope: body.expected_scope ?? null, state: 'open', opened_at: now, began_at: lineage.began_at, last_at: now, head, seq: entries.length,
  };
  const text = freshContent(parts.sha256, parts.ids.salt(), body.request);
  const delegation = { session: parent.row.id, child: id, event: 'opened', by: actorOf(caller), context_head: told.hash, context_seq: told.seq } as const;
  const receipts = [
    await parts.sign('delegation_recorded', now, delegation, { session: parent.row.id, agent: parent.row.agent, person: body.human }),
    await parts.sign(
      'session_opened',
      now,
      {
        session: id, human: body.human, service: row.service, agent: agent.id, role: agent.role, scope: agent.scope,
        delegation: lineage.delegation.map(({ session }) => session),
        parent: { session: parent.row.id, context_head: told.hash, context_seq: told.seq },
        ...(asked ? { request_digest: text.digest } : { task_digest: text.digest }),
        request_assurance: asked && parent.state.assurance !== 'same_host' ? 'orchestrator' : parent.state.assurance,
        expires_at: later(lineage.began_at, inForce.policy?.compiled.sessions.ttl_s ?? 24 * 3600),
        context_head: head, context_seq: entries.length,
      },
      { session: id, agent: agent.id, person: body.human },
    ),
  ];
  const outcome = await parts.stores.transactor.withHead(async (tx) => {
    const above = (await parts.stores.sessions.find([parent.row.id], tx)).get(parent.row.id);
    // Under the lock: a parent that was closed opens nothing, and one that moved on has seen more than the child would start with.
    if (above?.state !== 'open' || above.head !== parent.row.head) return 'moved';
    if (idempotency && (await parts.stores.credentials.idempotent(tx, { credential: caller.credential, ...idempotency, subject: id }))) return 'repeated';
    const [, at] = await parts.stores.ledger.append(tx, receipts);
    await parts.stores.sessions.insert(tx, row);
    await parts.stores.sessions.addEntries(tx, [told, ...entries]);
    await parts.stores.sessions.moveHeads(tx, [{ session: parent.row.id, from: parent.row.head, to: told.hash, seq: told.seq, at: now }]);
    await parts.stores.content.add(tx, [text]);
    await parts.events.publish(tx, [{ kind: 'session_changed', id: parent.row.id }, { kind: 'session_changed', id }, { kind: 'log_grew', id: String(at) }]);
    return Number(at);
  });
  if (outcome === 'moved') return null;
  if (outcome === 'repeated') return (idempotency && (await repeatedOpening(parts, caller, idempotency))) ?? beingAnswered();
  parts.sessions.advance(parent, told);
  return ok(sessionView(row, { id: receipts[1]?.id ?? '', index: outcome }, 'open'));
}

function chainOf(parts: PlaneParts, session: SessionId, entries: readonly ContextEntry[]): { readonly entries: readonly (ChainedEntry & { readonly session: SessionId })[]; readonly head: Digest } {
  let head: Digest | null = null;
  const chain = entries.map((entry, at) => {
    head = entryHash(parts.sha256, head, entry, at + 1);
    return { session, seq: at + 1, hash: head, entry };
  });
  if (head === null) throw new Error('A session begins with an entry.');
  return { entries: chain, head };
}
