import type { ContextBody, ContextView } from '@/lib/contracts/plane/sessions';
import { answerLength, isAnswerName } from '@/lib/approvals/asked-back';
import { isListedFor } from '@/lib/authority/roster-lookup';
import type { ContextEntry } from '@/lib/context/entry';
import type { SessionId } from '@/lib/shared/ids';
import { isJsonObject, type Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import { storedMissing } from './askable-fields';
import { actorOf, sourceOf, type Caller } from './caller';
import type { InForce } from './in-force';
import { openedBy } from './session-view';
import { observedTime } from './observed-time';
import type { PlaneParts } from './plane-parts';
import { chained } from './permit-entry';
import { redecideDeferred } from './redecide-deferred';
import type { LiveSession } from './session-contexts';
import { sessionStateAt } from './session-state-at';

const attempts = 8;
/** Facts about one held action that only who is in front of the resource can measure. */
const measuredNames = /^(?:effect\.(?:count|sample|reversible|cost)|precondition\.digest)$/;

type Asked = ContextBody['attributes'][number];

/**
 * Records attributes, each in a commit of its own, then decides the session's deferred actions again. What the policy's
 * `information` does not list the caller for is stored and shown (`used: false`), and unknown to rules.
 * An orchestrator also answers what a person asked back in a session that it opened, without being listed for that.
 * Failures: `not_found`, `forbidden` (not listed for the name), `conflict` (nobody waits for that answer), `invalid_input` (no answer
 * in words), `session_closed`, `session_expired`.
 */
export function contextSupplier(parts: PlaneParts) {
  return async (caller: Caller, id: SessionId, body: ContextBody): Promise<Result<ContextView>> => {
    for (const attribute of body.attributes) {
      const refusal = refusalOf(caller, attribute);
      if (refusal) return refusal;
    }
    return await parts.sessions.exclusively(id, async (session) => {
      if (!session || !mayEnter(caller, session)) return fail('not_found', 'There is no such session.');
      for (const attribute of body.attributes) {
        const refusal = isAnswer(attribute) ? await refusalOfAnswer(parts, caller, session, attribute) : null;
        if (refusal) return refusal;
      }
      const accepted: ContextView['accepted'][number][] = [];
      let live = session;
      for (const attribute of body.attributes) {
        const supplied = await supplyOne(parts, caller, live, attribute);
        if (!supplied.ok) return supplied;
        live = supplied.value.session;
        accepted.push({ subject: attribute.subject, name: attribute.name, used: supplied.value.used });
      }
      return ok({ accepted, redecided: await redecideDeferred(parts, live, 'supplied') });
    });
  };
}

const isAnswer = ({ subject, name }: Asked): boolean => subject.startsWith('action:') && isAnswerName(name);

/** The question is open, the orchestrator is among those who may answer it, and this is an answer in words, or that there is none. */
async function refusalOfAnswer(parts: PlaneParts, caller: Caller, { row }: LiveSession, { subject, name, value }: Asked): Promise<Result<never> | null> {
  const open = (await parts.stores.approvals.openDeferrals(row.id)).find(({ action }) => `action:${action}` === subject);
  const asked = open && open.expires_at > parts.clock.now() ? storedMissing(open.missing).find(({ attribute }) => attribute === name) : undefined;
  if (!asked?.suppliers.includes(sourceOf(caller))) return fail('conflict', `Nobody waits for ${name} of ${subject}.`);
  const words = typeof value === 'string' && value.trim() !== '' && value.length <= answerLength;
  return words || isUnavailable(value) ? null : fail('invalid_input', `${name} is answered in words, of at most ${String(answerLength)} characters.`);
}

function refusalOf(caller: Caller, attribute: Asked): Result<never> | null {
  const { subject, name } = attribute;
  if (caller.kind === 'orchestrator' && isAnswer(attribute)) return null;
  if (subject.startsWith('action:')) {
    if (caller.kind === 'orchestrator' || !measuredNames.test(name)) return fail('forbidden', `${caller.kind} may not say ${name} of an action.`);
    return null;
  }
  if (isListedFor(caller.listed, 'attributes', name)) return null;
  return fail('forbidden', `${caller.subject} is not listed for the attribute ${name}.`, { fix: 'An owner signs a roster that lists it.' });
}

function mayEnter(caller: Caller, { row }: LiveSession): boolean {
  if (caller.kind === 'orchestrator') return openedBy(caller, row);
  if (caller.kind === 'enforcement_point') return isListedFor(caller.listed, 'agents', row.agent);
  return caller.kind === 'information_point';
}

async function supplyOne(
  parts: PlaneParts,
  caller: Caller,
  known: LiveSession,
  attribute: Asked,
): Promise<Result<{ readonly session: LiveSession; readonly used: boolean }>> {
  let session: LiveSession | undefined = known;
  for (let attempt = 0; attempt < attempts && session; attempt++) {
    const inForce = await parts.authority.current();
    const now = parts.clock.now();
    const state = sessionStateAt(session.row, inForce.policy?.compiled ?? null, now);
    if (state !== 'open') return fail(state === 'closed' ? 'session_closed' : 'session_expired', `Session ${session.row.id} is ${state}.`);
    const observedAt = observedTime(attribute.observed_at, now);
    const unavailable = isUnavailable(attribute.value);
    const fact: ContextEntry = {
      kind: 'attribute', at: now, subject: attribute.subject, name: attribute.name, value: unavailable ? null : attribute.value,
      unavailable, source: sourceOf(caller), observed_at: observedAt,
    };
    const entry = chained(parts, session, fact);
    const value = unavailable ? null : freshContent(parts.sha256, parts.ids.salt(), attribute.value);
    const receipt = await parts.sign(
      'attributes_supplied',
      now,
      {
        session: session.row.id,
        attributes: [{ subject: fact.subject, name: fact.name, source: fact.source, observed_at: observedAt, value_digest: value?.digest ?? null }],
        by: actorOf(caller),
        context_head: entry.hash,
        context_seq: entry.seq,
      },
      { session: session.row.id, agent: session.row.agent },
    );
    const outcome = await parts.commits.submit({
      epoch: null,
      session: { id: session.row.id, head: session.row.head },
      action: null,
      receipts: [receipt],
      contents: value ? [value] : [],
      entry,
      move: { session: session.row.id, from: session.row.head, to: entry.hash, seq: entry.seq, at: now },
      events: [{ kind: 'session_changed', id: session.row.id }],
    });
    if (outcome.state === 'committed') {
      parts.sessions.advance(session, entry);
      return ok({ session, used: isUsed(inForce, fact) });
    }
    session = await parts.sessions.reload(session.row.id);
  }
  return session
    ? fail('overloaded', 'The context kept changing while the attribute was recorded.', { fix: 'Send it again.' })
    : fail('not_found', 'There is no such session.');
}

const isUnavailable = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 1 && value.unavailable === true;

function isUsed(inForce: InForce, fact: { readonly name: string; readonly source: string; readonly subject: string }): boolean {
  if (fact.subject.startsWith('action:')) return true;
  return inForce.policy?.compiled.information.get(fact.name)?.from.includes(fact.source) === true;
}
