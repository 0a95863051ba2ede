import type { ReceiptBody, ReceiptPredicate } from '@/lib/ledger/receipt-predicate';
import type { ActionId, Digest, ReceiptId } from '@/lib/shared/ids';

import { givenTime } from './given-time';
import { ofKind, type Entry } from './parse-entries';
import { brokenDeferral } from './pair-deferrals';
import { brokenEnding } from './pair-endings';
import { failed, passed, type Check, type Pairing, type PairingVerdict } from './report';

type Step = { readonly index: number; readonly body: ReceiptBody };
type Permit = { readonly id: string; readonly expires_at: string; readonly index: number };
/** A vote, or a standing approval that stands for one; the latter is on whatever its request is on. */
type CountedVote = Pick<ReceiptPredicate<'approval_voted'>, 'approval' | 'verdict' | 'person'> & { readonly basis_digest?: Digest; readonly index: number };
type Found = { readonly verdict: PairingVerdict; readonly detail: string; readonly index: number };

/** Decision ↔ approval ↔ permit ↔ outcome of each action, with a named verdict. */
export function pairActions(entries: readonly Entry[]): readonly Pairing[] {
  const actions = new Map<ActionId, Step[]>();
  for (const { index, body } of entries) {
    const action = body && 'action' in body.predicate ? body.predicate.action.id : undefined;
    if (!body || action === undefined) continue;
    const steps = actions.get(action);
    if (steps) steps.push({ index, body });
    else actions.set(action, [{ index, body }]);
  }
  const votes = new Map<ReceiptId, CountedVote>();
  for (const { index, predicate } of ofKind(entries, 'approval_voted')) votes.set(predicate.receipt, { ...predicate, index });
  for (const { index, predicate } of ofKind(entries, 'standing_approval_used')) votes.set(predicate.receipt, { ...predicate, index, verdict: 'approve' });
  const given = givenTime(entries);
  return [...actions].map(([action, steps]) => {
    const whole = hasBeginning(steps);
    const broken = earlier(earlier(firstBroken(steps, votes), brokenDeferral(steps, whole, given)), brokenEnding(steps, whole));
    const { verdict, detail, index } = broken ?? standing(steps);
    return { action, verdict, broken: broken !== undefined, detail, index };
  });
}

const earlier = (a: Found | undefined, b: Found | undefined): Found | undefined => (a && b ? (b.index < a.index ? b : a) : (a ?? b));

export function checkPairing(pairing: readonly Pairing[]): Check {
  const broken = pairing.filter((one) => one.broken).sort((a, b) => a.index - b.index);
  const [first] = broken;
  if (first) return failed('pairing', `${broken.length} of ${pairing.length} actions do not hold together: ${first.detail}`, first.index);
  return passed('pairing', pairing.length === 1 ? 'One action.' : `${pairing.length} actions.`);
}

/** True when the bundle has the action from its first decision on; else what came before cannot be missed. */
const hasBeginning = (steps: readonly Step[]): boolean =>
  steps.some(({ body }) => body.kind === 'action_decided' && (body.predicate.cause === 'proposed' || body.predicate.cause === 'edited'));

function firstBroken(steps: readonly Step[], votes: ReadonlyMap<ReceiptId, CountedVote>): Found | undefined {
  const whole = hasBeginning(steps);
  const permits = new Map<string, Permit>();
  const redeemed = new Set<string>();
  const reported = new Set<string>();
  for (const [at, { index, body }] of steps.entries()) {
    const earlier = steps.slice(0, at);
    const found = (verdict: PairingVerdict, detail: string): Found => ({ verdict, detail, index });
    if (isAboutAnother(steps[0]?.body, body)) return found('permit_for_another_action', 'The receipt names the action with another digest or session than the first one about it.');
    switch (body.kind) {
      case 'action_decided': {
        const { permit, action, transformed_digest, decision } = body.predicate;
        if (!permit) break;
        if (decision !== 'ALLOW' && decision !== 'MODIFY') return found('permit_without_approval', `A ${decision} carries a permit.`);
        if (permit.action_digest !== (transformed_digest ?? action.digest)) return found('permit_for_another_action', 'The permit is for another action than was decided.');
        permits.set(permit.id, { id: permit.id, expires_at: permit.expires_at, index });
        break;
      }
      case 'approval_resolved': {
        if (body.predicate.state !== 'approved') break;
        const request = requestOf(earlier, body.predicate.approval);
        if (!request && whole) return found('approval_without_request', 'Something was approved that nobody was asked for.');
        if (request && !quorumMet(body.predicate, request, votes, index)) return found('quorum_not_met', 'Fewer people than needed had approved it.');
        break;
      }
      case 'permit_issued': {
        const { permit, approval } = body.predicate;
        const approved = earlier.some(({ body: step }) => step.kind === 'approval_resolved' && step.predicate.approval === approval && step.predicate.state === 'approved');
        const request = requestOf(earlier, approval);
        if (!approved && whole) return found('permit_without_approval', 'A permit was issued without an approval.');
        if (request && permit.action_digest !== (request.transformed_digest ?? request.action.digest)) {
          return found('permit_for_another_action', 'The permit is for another action than was approved.');
        }
        permits.set(permit.id, { id: permit.id, expires_at: permit.expires_at, index });
        break;
      }
      case 'permit_refused':
        if (body.predicate.code === 'permit_stale') permits.delete(body.predicate.permit);
        break;
      case 'permit_redeemed': {
        const permit = permits.get(body.predicate.permit);
        if (redeemed.has(body.predicate.permit)) return found('redeemed_twice', 'The permit was redeemed twice.');
        redeemed.add(body.predicate.permit);
        if (!permit && whole) return found('redeemed_without_permit', 'There was no such permit, or it was void.');
        if (permit && body.predicate.at >= permit.expires_at) return found('redeemed_after_expiry', 'The permit had expired.');
        break;
      }
      case 'outcome_reported': {
        const { permit, late } = body.predicate;
        if (!redeemed.has(permit) && whole) return found('outcome_without_redemption', 'An outcome was reported that no redeemed permit stands behind.');
        if (reported.has(permit) && !late) return found('outcome_twice', 'The outcome was reported twice.');
        reported.add(permit);
        break;
      }
      default:
    }
  }
  return undefined;
}

/** An action keeps its digest and its session from its first receipt on, whatever is decided about it. */
function isAboutAnother(first: ReceiptBody | undefined, { predicate }: ReceiptBody): boolean {
  if (!first || !('action' in first.predicate) || !('action' in predicate)) return false;
  const [was, is] = [sessionIn(first.predicate), sessionIn(predicate)];
  return first.predicate.action.digest !== predicate.action.digest || (was !== undefined && is !== undefined && was !== is);
}

const sessionIn = (predicate: ReceiptPredicate): string | undefined =>
  'identity' in predicate ? predicate.identity.session : 'session' in predicate && typeof predicate.session === 'string' ? predicate.session : undefined;

function requestOf(steps: readonly Step[], approval: string): ReceiptPredicate<'approval_requested'> | undefined {
  for (const { body } of steps) if (body.kind === 'approval_requested' && body.predicate.approval === approval) return body.predicate;
  return undefined;
}

/** INVARIANT: people count, not votes, and only those who approved this request on its basis before it was resolved. */
function quorumMet(
  resolved: ReceiptPredicate<'approval_resolved'>,
  request: ReceiptPredicate<'approval_requested'>,
  votes: ReadonlyMap<ReceiptId, CountedVote>,
  index: number,
): boolean {
  const people = new Set<string>();
  for (const id of resolved.votes) {
    const vote = votes.get(id);
    if (!vote || vote.index >= index) return false;
    const { approval, basis_digest = request.basis_digest, verdict, person } = vote;
    if (approval !== request.approval || basis_digest !== request.basis_digest || verdict !== 'approve') return false;
    people.add(person);
  }
  return people.size >= request.quorum;
}

/** Where an action that holds together stands at the bundle's end. */
function standing(steps: readonly Step[]): Found {
  const last = steps.at(-1);
  const found = (verdict: PairingVerdict, detail: string): Found => ({ verdict, detail, index: last?.index ?? 0 });
  if (!hasBeginning(steps)) return found('beginning_not_in_bundle', 'The action’s first decision is not in the bundle.');
  const outcomes = steps.flatMap(({ body }) => (body.kind === 'outcome_reported' ? [body.predicate] : []));
  const outcome = outcomes.at(-1);
  if (outcome?.late === true) return found('outcome_late', 'The outcome came after its deadline.');
  if (outcome?.status === 'unknown') return found('outcome_unknown', 'Redeemed; nobody knows what came of it.');
  if (outcome) return found('completed', `Redeemed, and ${outcome.status}.`);
  let verdict: Found = found('held', 'Waits for a person.');
  for (const { body } of steps) verdict = afterStep(body, found) ?? verdict;
  return verdict;
}

function afterStep(body: ReceiptBody, found: (verdict: PairingVerdict, detail: string) => Found): Found | undefined {
  switch (body.kind) {
    case 'action_decided':
      if (body.predicate.state === 'denied' && body.predicate.cause === 'redeemed') return found('permit_void', staleDetail);
      if (body.predicate.state === 'denied') return found('denied', `Denied: ${body.predicate.code}.`);
      if (body.predicate.state === 'permitted') return found('permit_unused', 'Permitted, and never redeemed.');
      return body.predicate.state === 'held' ? found('held', 'Waits for a person.') : found('deferred', 'Waits for what is missing.');
    case 'approval_resolved': {
      const { state, deferral } = body.predicate;
      if (deferral !== undefined) return undefined;
      if (state === 'approved') return found('permit_unused', 'Approved, and never redeemed.');
      if (state === 'expired' || state === 'denied' || state === 'withdrawn' || state === 'superseded') return found(state, `The approval ended ${state}.`);
      return undefined;
    }
    case 'deferral_opened':
      return body.predicate.question ? found('deferred', 'Waits for an answer to what was asked back.') : undefined;
    case 'deferral_resolved':
      // Decided, or its time is over and people were asked: the decision says how it stands.
      return body.predicate.outcome === 'decided' || body.predicate.decided !== undefined ? undefined : found(body.predicate.outcome, `The deferral ended ${body.predicate.outcome}.`);
    case 'permit_issued':
      return found('permit_unused', 'Permitted, and never redeemed.');
    case 'permit_refused':
      return body.predicate.code === 'permit_stale' ? found('permit_void', staleDetail) : undefined;
    case 'permit_redeemed':
      return found('outcome_missing', 'Redeemed; no outcome was reported.');
    case 'action_withdrawn':
      return found('withdrawn', 'Withdrawn.');
    default:
      return undefined;
  }
}

const staleDetail = 'Policy or context changed before the permit was redeemed.';
