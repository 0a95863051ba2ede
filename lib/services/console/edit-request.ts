import { nextApprovalState } from '@/lib/approvals/approval-machine';
import type { EditStatement } from '@/lib/approvals/edit';
import { typedIn } from '@/lib/approvals/typed-values';
import { verifyEdit } from '@/lib/approvals/verify-edit';
import type { EditedView, EditInput } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { saltBytes } from '@/lib/ledger/content';
import { mediate } from '@/lib/mediate/mediate';
import type { ContentItem } from '@/lib/ports/content-store';
import type { SessionRow } from '@/lib/ports/session-store';
import type { LockedHead, Tx } from '@/lib/ports/transaction';
import { freshContent, sealAction } from '@/lib/services/action-content';
import { chained } from '@/lib/services/permit-entry';
import { proveSession } from '@/lib/services/prove-session';
import type { StoredEdit } from '@/lib/services/proven-edit';
import { sessionStateAt } from '@/lib/services/session-state-at';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import { isJsonObject, type JsonObject } from '@/lib/shared/json';
import { err, fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import { basisMoved } from './approval-basis-moved';
import { alreadyOver } from './approval-look';
import type { ConsoleParts } from './console-parts';
import { lookAtRequest, looks, movedSince, type RequestLook } from './look-at-request';
import { signatoryContext, signedStatement } from './person-signature';
import { signedNow } from './signed-now';

type Look = RequestLook & { readonly session: SessionRow };
type Judged = { readonly statement: EditStatement; readonly parameters: JsonObject; readonly content: ContentItem };

/**
 * Puts other parameters in the place of a held action's, by the signature of somebody who could approve it. Nobody approves the request as
 * it was from then on; the plane decides the new action from the start. What the person typed is a step of the session. Failures:
 * `not_found`, `already_resolved`, `edit_pending` (somebody was faster), `approval_stale`, `invalid_input` (nothing changed, not the
 * parameters that were signed), what an agent's parameters are refused for (`invalid_parameters`, `number_not_exact`, …),
 * `session_closed`, `session_expired`, `ledger_broken`, and all of `verifyEdit`.
 */
export async function editRequest(parts: ConsoleParts, viewer: Viewer, input: EditInput): Promise<Result<EditedView>> {
  const envelope = parseEnvelope(input.envelope);
  if (!envelope.ok) return envelope;
  for (let attempt = 0; attempt < looks; attempt++) {
    const look = await lookAt(parts, viewer, input, attempt > 0);
    if (!look.ok) {
      if (look.error.code === 'conflict') continue;
      return look;
    }
    // Judged once outside, so that garbage never takes the lock.
    const early = await judge(parts, viewer, envelope.value, input, look.value, await parts.reads.now());
    if (!early.ok) return early;
    const outcome = await parts.transactor.withHead((tx, head) => edit(parts, viewer, envelope.value, input, look.value, tx, head));
    if (outcome !== 'look again') return outcome;
  }
  return fail('unavailable', 'Too much is changing at once. Your edit was not recorded.', { fix: 'Sign again.' });
}

async function lookAt(parts: ConsoleParts, viewer: Viewer, { approval }: EditInput, fresh: boolean): Promise<Result<Look>> {
  const look = await lookAtRequest(parts, viewer, approval, fresh);
  if (!look.ok) return look;
  const session = (await parts.sessions.find([look.value.row.session])).get(look.value.row.session);
  if (!session) return fail('not_found', 'The session of this request is gone.');
  const entries = (await parts.sessions.entries(session.id, 0)).filter(({ seq }) => seq <= session.seq);
  const proven = await proveSession({ ...parts, reader: parts.log }, look.value.inForce, session, entries);
  return proven.ok ? ok({ ...look.value, session }) : proven;
}

async function judge(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, input: EditInput, { inForce, request: { held }, state, labels, session }: Look, now: string, tx?: Tx): Promise<Result<Judged>> {
  const { sha256 } = parts.cryptography;
  const context = await signatoryContext(parts, inForce, viewer, held.impact, tx);
  if (!context.ok) return context;
  const verified = await verifyEdit(envelope, { ...context.value, held, terms: state, sha256, now });
  if (!verified.ok) return verified;
  const fresh = signedNow(verified.value.signed_at, now);
  if (!fresh.ok) return fresh;
  const moved = basisMoved(held, inForce, labels);
  if (moved !== null) return fail('approval_stale', moved, { fix: 'It has to be decided again under what holds now.' });
  const life = sessionStateAt(session, inForce.policy?.compiled ?? null, now);
  if (life !== 'open') return fail(life === 'closed' ? 'session_closed' : 'session_expired', `Session ${session.id} is ${life}.`);
  // Read as strictly, and within the same bounds, as what an agent proposes.
  const parameters = parseStrictJson(input.content.parameters);
  if (!parameters.ok) return parameters;
  const salt = fromBase64(input.content.salt);
  const content = salt?.length === saltBytes ? freshContent(sha256, salt, parameters.value) : null;
  if (!isJsonObject(parameters.value) || content?.digest !== verified.value.parameters_digest) return fail('invalid_input', 'The parameters are not the ones that were signed.');
  const fits = fitsOperation(parts, { inForce, held }, parameters.value);
  return fits.ok ? ok({ statement: verified.value, parameters: parameters.value, content }) : fits;
}

/** Other values for the same tool and operation, and other ones than were held. */
function fitsOperation({ cryptography: { sha256 }, ids }: ConsoleParts, { inForce, held }: { readonly inForce: Look['inForce']; readonly held: Look['request']['held'] }, parameters: JsonObject): Result<null> {
  const { tool, operation } = held.action;
  const catalogue = inForce.policy?.compiled.catalogue;
  if (!catalogue) return fail('policy_unsigned', 'No policy is in force.');
  const action = mediate({ tool, operation, parameters }, catalogue);
  if (!action.ok) return action;
  if (action.value.tool !== tool || action.value.operation !== operation) return fail('invalid_parameters', 'It would be another operation.');
  const sealed = sealAction(sha256, action.value, parameters, ids.salt);
  if (!sealed.ok) return sealed;
  const same = [held.action.parameters, held.transformed?.parameters].some((known) => known !== undefined && canonicalJson(known) === canonicalJson(parameters));
  return same ? fail('invalid_input', 'Nothing is changed.', { fix: 'Change a value, or approve or deny it as it is.' }) : ok(null);
}

async function edit(parts: ConsoleParts, viewer: Viewer, envelope: Envelope, input: EditInput, look: Look, tx: Tx, head: LockedHead): Promise<Result<EditedView> | 'look again'> {
  const { held, requested } = look.request;
  const roster = look.inForce.roster?.roster ?? null;
  const row = await parts.approvals.find(look.row.id, tx);
  if (row?.state !== 'pending') return err(alreadyOver(row ?? look.row, roster));
  if (movedSince(look, row, head)) return 'look again';
  const session = (await parts.sessions.find([row.session], tx)).get(row.session);
  // What came since the look was written under this lock, by whoever proved the session then; a row set back is not gone on from.
  if (!session || session.seq < look.session.seq || (session.seq === look.session.seq && session.head !== look.session.head)) return 'look again';
  const judged = await judge(parts, viewer, envelope, input, { ...look, session }, head.now, tx);
  if (!judged.ok) return judged;
  const { statement, parameters, content } = judged.value;
  const edited = parts.ids.make('action');
  const next = nextApprovalState(look.state, { kind: 'edit', now: head.now, by: viewer.person, successor: edited });
  if (!next.ok) return next;
  const signed = signedStatement(parts.cryptography.sha256, envelope, statement.signer);
  if (!signed.ok) return signed;
  const known = held.transformed ? [held.action.parameters, held.transformed.parameters] : [held.action.parameters];
  const entry = chained({ ids: parts.ids, sha256: parts.cryptography.sha256 }, { row: session }, { kind: 'person_value', at: head.now, person: viewer.person, value: typedIn(known, parameters), statement: signed.value.digest });
  const receipt = await parts.sign(
    'approval_edited',
    head.now,
    {
      approval: row.id, session: row.session, action: requested.action, edited, person: viewer.person, parameters_digest: content.digest, statement: signed.value,
      context_head: entry.hash, context_seq: entry.seq,
    },
    { session: row.session, action: row.action, agent: held.identity.agent, person: viewer.person, tool: held.action.tool, operation: held.action.operation },
  );
  const stored: StoredEdit = { action: edited, by: viewer.person, receipt: receipt.id };
  if (!(await parts.approvals.addEdit(tx, row.id, canonicalJson(asJson(stored))))) throw new Error(`Request ${row.id} moved under the head lock.`);
  await parts.content.add(tx, [content]);
  await parts.ledger.append(tx, [receipt]);
  await parts.sessions.addEntries(tx, [entry]);
  await parts.sessions.moveHeads(tx, [{ session: row.session, from: session.head, to: entry.hash, seq: entry.seq, at: head.now }]);
  await parts.events.publish(tx, [{ kind: 'approval_changed', id: row.id }, { kind: 'session_changed', id: row.session }, { kind: 'log_grew', id: parts.workspace }]);
  return ok({ action: edited, receipts: [receipt.id] });
}
