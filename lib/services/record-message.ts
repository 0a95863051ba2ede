import type { MessageBody, SessionView } from '@/lib/contracts/plane/sessions';
import type { SessionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import { actorOf, type Caller } from './caller';
import { openedBy, sessionView } from './session-view';
import type { PlaneParts } from './plane-parts';
import { chained } from './permit-entry';
import { redecideDeferred } from './redecide-deferred';
import { sessionStateAt } from './session-state-at';

const attempts = 8;

/** Records a later message of the user. Failures: `not_found` (not opened by the caller), `session_closed`, `session_expired`. */
export function messageRecorder(parts: PlaneParts) {
  return async (caller: Caller, id: SessionId, body: MessageBody): Promise<Result<SessionView>> =>
    await parts.sessions.exclusively(id, async (known) => {
      let session = known;
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (!session || !openedBy(caller, session.row)) return fail('not_found', 'There is no such session.');
        const inForce = await parts.authority.current();
        const now = parts.clock.now();
        const state = sessionStateAt(session.row, inForce.policy?.compiled ?? null, now);
        if (state !== 'open') return fail(state === 'closed' ? 'session_closed' : 'session_expired', `Session ${id} is ${state}.`, { fix: 'Open a new session.' });
        const entry = chained(parts, session, { kind: 'request', at: now, text: body.text, assurance: 'orchestrator' });
        const message = freshContent(parts.sha256, parts.ids.salt(), body.text);
        const receipt = await parts.sign(
          'message_recorded',
          now,
          { session: id, message_digest: message.digest, by: actorOf(caller), context_head: entry.hash, context_seq: entry.seq },
          { session: id, agent: session.row.agent, person: session.row.human },
        );
        const outcome = await parts.commits.submit({
          epoch: null,
          session: { id, head: session.row.head },
          action: null,
          receipts: [receipt],
          contents: [message],
          entry,
          move: { session: id, from: session.row.head, to: entry.hash, seq: entry.seq, at: now },
          events: [{ kind: 'session_changed', id }],
        });
        if (outcome.state === 'committed') {
          parts.sessions.advance(session, entry);
          // What the user says may be just what an action waits for.
          await redecideDeferred(parts, session, 'supplied');
          return ok(sessionView(session.row, { id: receipt.id, index: Number(outcome.indexes[0]) }, 'open'));
        }
        session = await parts.sessions.reload(id);
      }
      return fail('overloaded', 'The context kept changing while the message was recorded.', { fix: 'Send it again.' });
    });
}
