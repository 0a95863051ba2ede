import type { OutcomeBody, OutcomeView } from '@/lib/contracts/plane/actions';
import { guardOutput } from '@/lib/guards/guard-output';
import type { ActionRow } from '@/lib/ports/action-store';
import { bounds } from '@/lib/shared/bounds';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ActionId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { freshContent } from './action-content';
import { actorOf, type Caller } from './caller';
import { guardReceipts, outputFindings } from './guard-receipts';
import { mayUseAction } from './may-use-action';
import { inheritedByOutcome, writtenByOutcome } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import { chained } from './permit-entry';
import type { LiveSession } from './session-contexts';

const attempts = 8;

/**
 * Records what happened, once. What an agent reports itself is untrusted, whatever the catalogue says of the tool; an
 * enforcement point's report is as trusted as the catalogue has it. Failures: `not_found`, `outcome_before_redeem`,
 * `outcome_already_reported`, `too_large`.
 */
export function outcomeReporter(parts: PlaneParts) {
  return async (caller: Caller, id: ActionId, body: OutcomeBody): Promise<Result<OutcomeView>> => {
    const found = (await parts.stores.actions.find([id])).get(id);
    if (!found || !mayUseAction(caller, found)) return fail('not_found', 'There is no such action.');
    const text = body.output === undefined ? '' : typeof body.output === 'string' ? body.output : canonicalJson(body.output);
    if (text.length > bounds.outputBytes) return fail('too_large', `The output is over ${bounds.outputBytes} characters.`, { fix: 'Report an excerpt.' });
    return await parts.sessions.exclusively(found.session, async (known) => {
      let session = known;
      for (let attempt = 0; attempt < attempts; attempt++) {
        const row = (await parts.stores.actions.find([id])).get(id);
        if (!row || !session) return fail('not_found', 'There is no such action.');
        const reported = await reportOnce(parts, caller, row, session, body, text);
        if (reported) return reported;
        session = await parts.sessions.reload(found.session);
      }
      return fail('overloaded', 'The context kept changing while the outcome was recorded.', { fix: 'Report it again.' });
    });
  };
}

/** Null: what it rested on moved meanwhile, look again. */
async function reportOnce(
  parts: PlaneParts,
  caller: Caller,
  row: ActionRow,
  session: LiveSession,
  body: OutcomeBody,
  text: string,
): Promise<Result<OutcomeView> | null> {
  if (row.state === 'succeeded' || row.state === 'failed' || (row.state === 'unknown' && row.outcome_error !== overdue)) {
    return fail('outcome_already_reported', `Action ${row.id} is ${row.state}.`);
  }
  if (row.state !== 'redeemed' && row.state !== 'unknown') {
    return fail('outcome_before_redeem', `Action ${row.id} is ${row.state}.`, { fix: 'Redeem its permit before running it.' });
  }
  const inForce = await parts.authority.current();
  const catalogue = inForce.policy?.compiled.catalogue;
  const { inherits, mayBeTrusted, doubts } = await inheritedByOutcome(parts, session, row, inForce, text);
  const trusted = caller.kind === 'enforcement_point' && mayBeTrusted && catalogue?.entries.get(`${row.tool}.${row.operation}`)?.trusted === true;
  const guarded = guardOutput(text);
  const labels = [...new Set([...guarded.labels, ...inherits.labels])].sort();
  const writes = writtenByOutcome(session, row.id, labels, trusted);
  const now = parts.clock.now();
  const entry = chained(parts, session, {
    kind: 'outcome',
    at: now,
    action: row.id,
    status: body.status,
    reporter: caller.kind === 'enforcement_point' ? 'enforcement_point' : 'agent',
    trusted,
    output: text,
    labels,
    injection: guarded.injectionScore,
    ...(trusted && doubts.length > 0 ? { doubts } : {}),
    ...(inherits.origin === null && inherits.labels.length === 0 ? {} : { inherits }),
    ...(writes ? { writes } : {}),
  });
  const output = body.output === undefined ? null : freshContent(parts.sha256, parts.ids.salt(), body.output);
  const receipt = await parts.sign(
    'outcome_reported',
    now,
    {
      session: row.session,
      permit: row.permit?.id ?? missingPermit(row),
      action: { id: row.id, digest: row.asked },
      status: body.status,
      ...(output ? { output_digest: output.digest } : {}),
      labels,
      trusted,
      late: row.state === 'unknown',
      reported_by: actorOf(caller),
      context_head: entry.hash,
      context_seq: entry.seq,
    },
    { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation, labels },
  );
  const about = { id: row.id, digest: row.asked };
  const found = output ? await guardReceipts(parts, { ...row, about, what: 'output', digest: output.digest, at: now }, outputFindings(guarded)) : [];
  const outcome = await parts.commits.submit({
    epoch: null,
    // What has run is recorded even when the session has ended meanwhile.
    session: { id: row.session, head: session.row.head, orClosed: true },
    action: { id: row.id, state: row.state },
    receipts: [receipt, ...found],
    contents: output ? [output] : [],
    change: {
      id: row.id,
      from: row.state,
      at: now,
      state: body.status,
      outcome_at: now,
      output: output?.digest ?? null,
      outcome_error: body.error ?? null,
    },
    entry,
    move: { session: row.session, from: session.row.head, to: entry.hash, seq: entry.seq, at: now },
    events: [{ kind: 'action_changed', id: row.id }],
  });
  if (outcome.state === 'stale') return null;
  parts.sessions.advance(session, entry);
  return ok({ output: guarded.redactions === 0 ? (body.output ?? null) : guarded.text, labels: [...session.state.labels.current()] });
}

/** What the timekeeper writes when no report came in time; a report may still follow, and is marked late. */
export const overdue = 'no outcome was reported in time';

function missingPermit(row: ActionRow): never {
  throw new Error(`Action ${row.id} is ${row.state} without a permit.`);
}
