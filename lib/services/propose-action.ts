import type { ActionView, BatchBody, BatchView, ProposeActionBody } from '@/lib/contracts/plane/actions';
import { mediate } from '@/lib/mediate/mediate';
import { stockCatalogue } from '@/lib/mediate/stock';
import type { ActionRow } from '@/lib/ports/action-store';
import { asJson } from '@/lib/shared/as-json';
import { isId, type ActionId } from '@/lib/shared/ids';
import { parseOwnJson } from '@/lib/shared/parse-own-json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { approvalPart, deferralPart, plainView, viewOfAction } from './action-view';
import type { Caller } from './caller';
import { askDecisionPoints } from './ask-decision-points';
import { decideInSession, restsOnFault } from './decide-in-session';
import type { Draft } from './draft';
import { embedAction } from './embed-action';
import type { InForce } from './in-force';
import { coveringGrants } from './grants/covering-grants';
import { inheritedFor } from './inherited-context';
import type { Idempotency } from './plane-services';
import type { PlaneParts } from './plane-parts';
import { prepareDecision, type PreparedDecision } from './prepare-decision';
import { repeatedDenial } from './repeated-denial';
import type { LiveSession } from './session-contexts';
import { boundsOf, deniedBecause, stopsInLine, tooManyHeld } from './waiting-limits';
import { inTheWayOf, orderEvidence } from './waiting-order';

type Proposal = Omit<ProposeActionBody, 'session'>;

/** How often a proposal is decided again because epoch or context moved while it was being decided. */
const attempts = 8;

/**
 * Decides a proposed action and commits decision, receipt and what follows from it together; the answer is made only
 * then. Failures: `not_found` (not the caller's session), `unknown_tool`, `invalid_parameters`, `idempotency_conflict`,
 * `overloaded` when the context would not stand still.
 */
export function actionProposer(parts: PlaneParts) {
  const stock = stockCatalogue(parts.sha256);
  const view = { approvals: parts.stores.approvals, content: parts.stores.content, reader: parts.reader, consoleUrl: parts.consoleUrl, sha256: parts.sha256 };

  async function propose(caller: Caller, { session: id, ...proposal }: ProposeActionBody, idempotency: Idempotency | null): Promise<Result<ActionView>> {
    const repeated = idempotency && (await repeatedCall(parts, caller, idempotency));
    if (repeated) {
      if (!repeated.ok) return repeated;
      return ok(await viewOfAction(repeated.value, view, caller.scopes.includes('explain')));
    }
    return await parts.sessions.exclusively(id, async (session) => {
      if (session?.row.agent !== caller.subject) return fail('not_found', 'There is no such session.');
      const proposed = await proposeIn(caller, session, proposal, idempotency);
      return proposed.ok ? ok(proposed.value.view) : proposed;
    });
  }

  /** `stopped`: an earlier fault of its batch denies it, whatever it is. */
  async function proposeIn(caller: Caller, known: LiveSession, proposal: Proposal, idempotency: Idempotency | null, stopped = false): Promise<Result<Proposed>> {
    let session = known;
    let inForce = await parts.authority.current();
    const actionId = parts.ids.make('action');
    for (let attempt = 0; attempt < attempts; attempt++) {
      const prepared = await decideProposal(parts, { actionId, proposal, session, inForce, catalogue: inForce.policy?.compiled.catalogue ?? stock, stopped });
      if (!prepared.ok) return prepared;
      const draft = draftOf(caller, actionId, proposal, session, inForce, prepared.value, idempotency);
      const outcome = await parts.commits.submit(draft);
      if (outcome.state === 'committed') {
        if (draft.entry) parts.sessions.advance(session, draft.entry);
        if (prepared.value.columns.state === 'held' || prepared.value.columns.state === 'deferred') session.mayWait = true;
        return ok({ view: await freshView(parts, draft, prepared.value, outcome.indexes[0] ?? 0n, caller), faulty: prepared.value.faulty });
      }
      if (outcome.why === 'idempotency' && idempotency) {
        // Another call with this key was first; it is committed by now, and the answer is the same.
        const first = await repeatedCall(parts, caller, idempotency);
        if (!first) return fail('conflict', 'Another call with this idempotency key is being answered.', { fix: 'Send it again.' });
        return first.ok ? ok({ view: await viewOfAction(first.value, view, caller.scopes.includes('explain')), faulty: false }) : first;
      }
      // What it rested on has moved: decide again with the policy and the context of now.
      inForce = await parts.authority.refresh();
      const reloaded = await parts.sessions.reload(session.row.id);
      if (!reloaded) return fail('not_found', 'There is no such session.');
      session = reloaded;
      if (outcome.why === 'waiting') session.mayWait = true;
    }
    return fail('overloaded', 'Policy or context kept changing while this was decided.', { fix: 'Send it again.' });
  }

  async function proposeBatch(caller: Caller, { session: id, actions }: BatchBody): Promise<Result<BatchView>> {
    return await parts.sessions.exclusively(id, async (session) => {
      if (session?.row.agent !== caller.subject) return fail('not_found', 'There is no such session.');
      const unreadable = unreadableIn(actions, (await parts.authority.current()).policy?.compiled.catalogue ?? stock);
      if (unreadable) return unreadable;
      const results: ActionView[] = [];
      // A fault, unlike a DENY, stops the rest: whoever proposed it all may have counted on what was not rightly decided.
      let stopped = false;
      for (const proposal of actions) {
        const current = (await parts.sessions.reload(id)) ?? session;
        const result = await proposeIn(caller, current, proposal, null, stopped);
        // What cannot even be recorded is no answer to any of it: the caller takes that for DENY, and no permit of it is known to anyone.
        if (!result.ok) return result;
        results.push(result.value.view);
        stopped ||= result.value.faulty;
      }
      return ok({ results });
    });
  }

  return { propose, proposeBatch };
}

type Proposed = { readonly view: ActionView; readonly faulty: boolean };

/** A batch is read before any of it is decided: its actions may count on each other. Null: each of them can be. */
function unreadableIn(actions: BatchBody['actions'], catalogue: Parameters<typeof mediate>[1]): Result<never> | null {
  const faults = actions.flatMap((action, i) => {
    const read = mediate({ tool: action.tool, operation: action.operation, parameters: action.parameters }, catalogue);
    return read.ok ? [] : [{ i, fault: read.error }];
  });
  const [first] = faults;
  if (!first) return null;
  const issues = faults.flatMap(({ i, fault }) => (fault.issues ?? [{ path: '', message: fault.detail }]).map((issue) => ({ ...issue, path: `actions.${String(i)}${issue.path === '' ? '' : `.${issue.path}`}` })));
  return fail(first.fault.code, `Action ${String(first.i)}: ${first.fault.detail}`, { issues, ...(first.fault.fix === undefined ? {} : { fix: first.fault.fix }) });
}

async function decideProposal(
  parts: PlaneParts,
  wanted: {
    readonly actionId: ActionId;
    readonly proposal: Proposal;
    readonly session: LiveSession;
    readonly inForce: InForce;
    readonly catalogue: Parameters<typeof mediate>[1];
    readonly stopped: boolean;
  },
): Promise<Result<PreparedDecision & { readonly faulty: boolean }>> {
  const { proposal, session, inForce } = wanted;
  const { tool, operation, parameters } = proposal;
  const action = mediate({ tool, operation, parameters }, wanted.catalogue);
  if (!action.ok) return action;
  const now = parts.clock.now();
  // Nearly always nothing waits and nothing was denied: that is supposed, and the commit knows better.
  const calm = session.mayWait !== true;
  const inTheWay = await inTheWayOf(parts, session, inForce, action.value, proposal.depends_on ?? [], !calm);
  const order = orderEvidence(inTheWay);
  // What is stopped is denied whatever others say, so nobody waits for them.
  const points = parts.points.length === 0 || wanted.stopped ? order : [...order, ...(await askDecisionPoints(parts.points, { id: wanted.actionId, action: action.value, session, now }))];
  const embedding = parts.embeddings === null || wanted.stopped ? undefined : await embedAction(parts.embeddings, session.state, action.value);
  const decided = decideInSession({ id: wanted.actionId, action: action.value, session, inForce, now, inherited: await inheritedFor(parts, session, action.value), grants: action.value.entry.grant === true ? await coveringGrants(parts, inForce, session.row.agent, action.value, now) : [], points, embedding });
  const earlier = calm || wanted.stopped || decided.decision.decision === 'DENY' ? null : await repeatedDenial(parts, session, action.value, wanted.catalogue);
  const code =
    (wanted.stopped ? 'pipeline_stopped' : null) ??
    stopsInLine(inTheWay, inForce, decided.decision) ??
    (earlier && 'repeated_after_denial') ??
    (await tooManyHeld(parts.stores.actions, boundsOf(session, inForce, decided.decision, now)));
  const prepared = await prepareDecision(parts, {
    id: wanted.actionId,
    action: action.value,
    decided: code === null ? decided : { ...decided, decision: deniedBecause(decided.decision, code, code === 'repeated_after_denial' ? earlier : null) },
    session,
    inForce,
    cause: 'proposed',
    reason: proposal.reason ?? null,
    now,
    inTheWay,
    calm,
  });
  return prepared.ok ? ok({ ...prepared.value, faulty: restsOnFault(decided) }) : prepared;
}

function draftOf(
  caller: Caller,
  id: ActionId,
  proposal: Proposal,
  session: LiveSession,
  inForce: InForce,
  prepared: PreparedDecision,
  idempotency: Idempotency | null,
): Draft {
  const { row } = session;
  const { columns, entry } = prepared;
  const at = columns.changed_at;
  return {
    epoch: inForce.epoch,
    // A closed or expired session still gets its denial recorded.
    session: { id: row.id, head: row.head, orClosed: columns.state === 'denied', calm: prepared.calm && columns.state !== 'denied' },
    action: null,
    receipts: prepared.receipts,
    contents: prepared.contents,
    insert: {
      id,
      session: row.id,
      agent: row.agent,
      human: row.human,
      credential: caller.credential,
      tool: prepared.tool,
      operation: prepared.operation,
      asked: prepared.asked,
      reason: proposal.reason ?? null,
      depends_on: proposal.depends_on ?? [],
      proposed_at: at,
      redeemed_at: null,
      redeemed_by: null,
      outcome_due_at: null,
      outcome_at: null,
      output: null,
      outcome_error: null,
      superseded_by: null,
      ...columns,
    },
    ...(entry ? { entry, move: { session: row.id, from: row.head, to: entry.hash, seq: entry.seq, at } } : {}),
    ...(prepared.approval ? { approval: prepared.approval } : {}),
    ...(prepared.deferral ? { deferral: prepared.deferral } : {}),
    ...(prepared.bounds ? { bounds: prepared.bounds } : {}),
    ...(idempotency ? { idempotency: { credential: caller.credential, ...idempotency, subject: id } } : {}),
    events: prepared.approval ? [{ kind: 'approval_changed', id: prepared.approval.id }] : prepared.deferral ? [{ kind: 'action_changed', id }] : [],
  };
}

/** The view of what was just committed, from what is at hand: no query on the way of an ALLOW. */
async function freshView(parts: PlaneParts, draft: Draft, prepared: PreparedDecision, index: bigint, caller: Caller): Promise<ActionView> {
  const [receipt] = draft.receipts;
  if (!draft.insert || !receipt) throw new Error('A proposal writes an action and its receipt.');
  const row: ActionRow = { ...draft.insert, receipt: { id: receipt.id, index } };
  const { decision } = prepared;
  return {
    ...plainView(row),
    ...(decision.transformed ? { transformed: { tool: row.tool, operation: row.operation, parameters: decision.transformed.parameters } } : {}),
    ...(row.permit ? { permit: { id: row.permit.id, expires_at: row.permit.expires_at, envelope: parseOwnJson(receipt.envelope) } } : {}),
    ...(prepared.approval ? { approval: await approvalPart(prepared.approval, { approvals: parts.stores.approvals, consoleUrl: parts.consoleUrl }) } : {}),
    ...(prepared.deferral ? { deferral: deferralPart(prepared.deferral) } : {}),
    ...(caller.scopes.includes('explain') ? { rules: decision.determining.map(asJson), signals: decision.signals.map(asJson) } : {}),
  };
}

/** What a call with this key answered before, as it stands now. Null: there was none. */
async function repeatedCall(parts: PlaneParts, caller: Caller, { key, body_digest }: Idempotency): Promise<Result<ActionRow> | null> {
  const before = await parts.stores.credentials.findIdempotent(caller.credential, key);
  if (!before) return null;
  if (before.body_digest !== body_digest) return fail('idempotency_conflict', 'This idempotency key came with another body before.', { fix: 'Use a new key for a new action.' });
  const row = isId('action', before.subject) ? (await parts.stores.actions.find([before.subject])).get(before.subject) : undefined;
  return row ? ok(row) : fail('not_found', 'What this key made is gone.');
}
