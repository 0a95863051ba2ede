import type { RedeemView } from '@/lib/contracts/plane/actions';
import { mediate } from '@/lib/mediate/mediate';
import type { CompiledPolicy } from '@/lib/engine/policy';
import type { ActionRow } from '@/lib/ports/action-store';
import type { GrantUse } from '@/lib/ports/grant-store';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { PermitId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { openAction, type OpenedAction } from './action-content';
import { actorOf, type Caller } from './caller';
import { askDecisionPoints } from './ask-decision-points';
import { embedAction } from './embed-action';
import { decideInSession, type DecidedInSession } from './decide-in-session';
import { endedInLog } from './ended-in-log';
import type { InForce } from './in-force';
import { later } from './later';
import { proveApproved } from './console/prove-approved';
import { mayUseAction } from './may-use-action';
import { demandOnPeople, parseStoredDecision } from './parse-stored-decision';
import { provenPermit, type PermitTerms } from './proven-permit';
import { coveringGrants } from './grants/covering-grants';
import { grantOfPermit } from './grants/grant-of-permit';
import { inTurn } from './grants/in-turn';
import { inheritedSince, type InheritedSince } from './inherited-context';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';
import { sessionStateAt } from './session-state-at';
import { voidPermit } from './void-permit';

const attempts = 8;

/**
 * Uses a permit, once. One commit checks under the head lock that the permit is unused and alive by the database's clock,
 * that the session is open, and that epoch and context are those this was judged by. When they differ from the
 * permit's own, or other sessions wrote since to what it reads, the action is decided again with the policy and context of now
 * and goes on only on the permit's own result.
 * Failures: `not_found`, `permit_used`, `permit_expired`, `permit_stale`, `session_closed`.
 */
export function permitRedeemer(parts: PlaneParts) {
  // Of many permits on one grant each counts on what the one before left: in this process they stand in line.
  const turns = inTurn();
  return async (caller: Caller, permit: PermitId): Promise<Result<RedeemView>> => {
    const found = await parts.stores.actions.findByPermit(permit);
    if (!found || !mayUseAction(caller, found)) return fail('not_found', 'There is no such permit.');
    return await parts.sessions.exclusively(found.session, async (known) => {
      let session = known;
      let inForce = await parts.authority.current();
      for (let attempt = 0; attempt < attempts; attempt++) {
        const row = (await parts.stores.actions.find([found.id])).get(found.id);
        if (!row || !session) return fail('not_found', 'There is no such permit.');
        const attempted = await redeemOnce(parts, caller, row, session, inForce, turns);
        if (attempted) return attempted;
        inForce = await parts.authority.refresh();
        session = await parts.sessions.reload(found.session);
      }
      return fail('overloaded', 'Policy or context kept changing while the permit was judged.', { fix: 'Redeem it again.' });
    });
  };
}

/** Null: what it rested on moved meanwhile, look again. */
async function redeemOnce(parts: PlaneParts, caller: Caller, row: ActionRow, session: LiveSession, inForce: InForce, turns: ReturnType<typeof inTurn>): Promise<Result<RedeemView> | null> {
  const now = parts.clock.now();
  const refusal = refusalOf(row, session, inForce, now);
  if (refusal) return await refuse(parts, caller, row, refusal, now);
  const { permit } = row;
  const policy = inForce.policy?.compiled;
  const terms = await provenPermit(parts, inForce, row);
  if (!terms.ok) return terms;
  const ended = inForce.ended?.has(row.id) === true ? 'action_withdrawn' : await endedInLog(parts.reader, row.id, ['permit_redeemed', 'action_withdrawn']);
  if (ended !== null) return await refuse(parts, caller, row, ended === 'permit_redeemed' ? 'permit_used' : 'permit_stale', now);
  const opened = await openAction(parts.stores.content, parts.sha256, terms.value.action_digest);
  if (!permit || !policy) return await refuse(parts, caller, row, 'permit_stale', now);
  if (!opened.ok) return opened;
  const since = await inheritedSince(parts, session, row, inForce);
  if (permit.epoch !== inForce.epoch || permit.head !== session.row.head || since.moved) {
    const decided = await decideAgain(parts, row, session, inForce, now, since);
    if (!decided || !(await isPermitsOwnResult(parts, row, terms.value, opened.value, decided, inForce, since))) {
      return await voidPermit(parts, caller, row, session, inForce, decided, now);
    }
  }
  const grant = terms.value.grants?.[0];
  const redeem = async (): Promise<Result<RedeemView> | null> => {
    const rests = await grantOfPermit(parts, inForce, row, terms.value, opened.value, now);
    if (rests.needed && !rests.use) return await voidPermit(parts, caller, row, session, inForce, await decideAgain(parts, row, session, inForce, now, since), now);
    return await commitUse(parts, caller, { row, session, inForce, now, permit: permit.id, policy, effective: opened.value, terms: terms.value, grant: rests.needed ? rests.use : null });
  };
  return grant === undefined ? await redeem() : await turns(grant, redeem);
}

type Redeemed = {
  readonly row: ActionRow;
  readonly session: LiveSession;
  readonly inForce: InForce;
  readonly now: string;
  readonly permit: PermitId;
  readonly policy: CompiledPolicy;
  readonly effective: OpenedAction;
  readonly terms: PermitTerms;
  /** The use of a grant that this is. */
  readonly grant: GrantUse | null;
};

/** Permit and grant are used in one transaction, or neither is. Null: what it rested on moved meanwhile. */
async function commitUse(parts: PlaneParts, caller: Caller, { row, session, inForce, now, permit, policy, effective, terms, grant }: Redeemed): Promise<Result<RedeemView> | null> {
  const due = later(now, policy.permits.outcome_s);
  const columns = { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation };
  const action = { id: row.id, digest: row.asked };
  const used = { session: row.session, permit, action, by: actorOf(caller), context_head: session.row.head, context_seq: session.row.seq };
  const receipts = [await parts.sign('permit_redeemed', now, used, columns)];
  if (grant) {
    const counted = { grant: grant.id, session: row.session, agent: row.agent, tool: row.tool, operation: row.operation, action, permit, use: grant.use };
    receipts.push(await parts.sign('grant_consumed', now, counted, columns));
  }
  const outcome = await parts.commits.submit({
    epoch: inForce.epoch,
    session: { id: row.session, head: session.row.head },
    action: { id: row.id, state: 'permitted', permitAlive: true },
    ...(grant ? { grant } : {}),
    receipts,
    change: { id: row.id, from: 'permitted', at: now, state: 'redeemed', redeemed_at: now, redeemed_by: caller.credential, outcome_due_at: due },
    events: [{ kind: 'action_changed', id: row.id }],
  });
  if (outcome.state === 'committed') {
    const obligations = terms.obligations.map((obligation) => ({ ...obligation }));
    return ok({ action: row.id, execute: { ...effective, parameters: { ...effective.parameters } }, obligations, outcome_due_at: due });
  }
  if (outcome.why === 'permit_expired') return await refuse(parts, caller, row, 'permit_expired', now);
  return null;
}

function refusalOf(row: ActionRow, session: LiveSession, inForce: InForce, now: string): ErrorCode | null {
  if (row.redeemed_at !== null) return 'permit_used';
  // Withdrawn (by the agent, at the session's end, by a kill switch) or decided otherwise: the permit is void, not too old.
  if (row.code === 'permit_stale' || row.state === 'withdrawn' || row.state === 'denied') return 'permit_stale';
  if (row.state !== 'permitted' || !row.permit || row.permit.expires_at <= now) return 'permit_expired';
  if (sessionStateAt(session.row, inForce.policy?.compiled ?? null, now) !== 'open') return 'session_closed';
  return null;
}

async function refuse(parts: PlaneParts, caller: Caller, row: ActionRow, code: ErrorCode, now: string): Promise<Result<RedeemView>> {
  if (row.permit) {
    const receipt = await parts.sign(
      'permit_refused',
      now,
      { permit: row.permit.id, action: { id: row.id, digest: row.asked }, code, by: actorOf(caller) },
      { session: row.session, action: row.id, agent: row.agent, tool: row.tool, operation: row.operation },
    );
    await parts.commits.submit({ epoch: null, session: null, action: null, receipts: [receipt], events: [] });
  }
  return fail(code, `Permit ${row.permit?.id ?? ''} cannot be used.`, { fix: 'Propose the action again.' });
}

/** The engine's answer now, for the action as it was asked for. Null: the catalogue of now does not even know it. */
async function decideAgain(parts: PlaneParts, row: ActionRow, session: LiveSession, inForce: InForce, now: string, { inherited }: InheritedSince): Promise<DecidedInSession | null> {
  const asked = await openAction(parts.stores.content, parts.sha256, row.asked);
  const catalogue = inForce.policy?.compiled.catalogue;
  if (!asked.ok || !catalogue) return null;
  const action = mediate(asked.value, catalogue);
  if (!action.ok) return null;
  const points = await askDecisionPoints(parts.points, { id: row.id, action: action.value, session, now });
  return decideInSession({ id: row.id, action: action.value, session, inForce, now, inherited, points, grants: await coveringGrants(parts, inForce, row.agent, action.value, now), embedding: await embedAction(parts.embeddings, session.state, action.value), again: true });
}

/**
 * The permit goes on only on its own result: ALLOW of the same action, MODIFY to the same a′; after an approval a
 * STEP_UP, or a DEFER that people decided, whose a′, policy and rules are those that the votes covered.
 */
async function isPermitsOwnResult(parts: PlaneParts, row: ActionRow, { grants = [] }: PermitTerms, effective: OpenedAction, { decision }: DecidedInSession, inForce: InForce, { gained }: InheritedSince): Promise<boolean> {
  if (decision.decision !== row.decision) return false;
  // A permit is good for the grant that it names, and for no other that came since.
  if (decision.grants.length > 0 && grants.length === 0) return false;
  const would = decision.transformed?.parameters;
  const asked = row.asked === row.effective;
  if (would === undefined ? !asked : canonicalJson(would) !== canonicalJson(effective.parameters)) return false;
  if (decision.decision !== 'STEP_UP' && decision.decision !== 'DEFER') return true;
  // As when the approved permit was issued: nobody has judged it with these labels.
  if (gained.length > 0) return false;
  const approval = await parts.stores.approvals.ofAction(row.id);
  if (!approval || approval.state !== 'approved' || row.policy?.digest !== inForce.policy?.digest) return false;
  // Keys and memberships may have changed since: every vote is judged again.
  if (!(await proveApproved({ ...parts, ...parts.stores, log: parts.reader, rosters: parts.proposing.authority }, inForce, approval)).ok) return false;
  const before = parseStoredDecision(row.body);
  const demandText = (decided: Parameters<typeof demandOnPeople>[0]) => canonicalJson(asJson({ demand: demandOnPeople(decided) ?? null }));
  const rulesOf = (rules: readonly { id: string; action: string }[]) => canonicalJson(rules.map(({ id, action }) => ({ id, action })));
  return (
    rulesOf(before.determining) === rulesOf(decision.determining) &&
    demandText(before) === demandText(decision)
  );
}
