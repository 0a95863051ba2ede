import { verifyDenial } from '@/lib/approvals/denial';
import type { Denial } from '@/lib/approvals/vote';
import { guidanceTexts, type DenyInput, type VoteOutcome } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { err, fail, ok, type Result } from '@/lib/shared/result';

import { alreadyOver, approverOf } from './approval-look';
import { voteReceipts } from './approval-receipts';
import type { ConsoleParts } from './console-parts';
import { readHeld } from './held-request';
import { receiptsOfAction } from './receipts-of-action';
import { sightOf } from './sight';
import { suspendedPeople } from './suspended-people';

/**
 * Ends a request: its action is denied with `approval_denied` and the agent gets the reason. Needs the session and
 * membership, no key, and works whatever the policy's state, because it only tightens. Failures: `not_found`,
 * `already_resolved`, and those of `verifyDenial`.
 */
export async function denyRequest(parts: ConsoleParts, viewer: Viewer, input: DenyInput): Promise<Result<VoteOutcome>> {
  const { sha256 } = parts.cryptography;
  const seen = (await parts.reads.maySeeApproval(sightOf(viewer), input.approval)) ? await parts.approvals.find(input.approval) : undefined;
  if (!seen) return fail('not_found', 'There is no such request, or it is not routed to you.');
  const held = readHeld(seen, { sha256 });
  if (!held.ok) return held;
  const { roster, root } = await parts.inForce.current();
  if (!roster || !root) return fail('roster_invalid', 'No roster is in force, so nobody can be recognised as an approver.');
  const logged = await receiptsOfAction(parts.log, seen.action);
  const earlier = [...voteReceipts(logged, seen.id, sha256).values()];
  const action = (await parts.actions.find([seen.action])).get(seen.action);
  if (!action) return fail('not_found', 'The action of this request is gone.');
  // A canned reason may stand alone; it is not said twice.
  const guidance = input.code === 'other' || input.reason === guidanceTexts[input.code] ? input.reason : `${guidanceTexts[input.code]} ${input.reason}`;

  return await parts.transactor.withHead(async (tx, { now }) => {
    const row = await parts.approvals.find(seen.id, tx);
    if (row?.state !== 'pending') return err(alreadyOver(row ?? seen, roster.roster));
    const suspended = await suspendedPeople(parts.people, [viewer.person], tx);
    const denial: Denial = { request: row.id, person: viewer.person, code: input.code, reason: input.reason, at: now };
    // By the row's own terms: whoever could alter them could only have more denied.
    const verified = verifyDenial(denial, held.value, approverOf({ root: root.root, roster: roster.roster, suspended }, viewer.person), { asked: row.approvers, expires_at: row.expires_at });
    if (!verified.ok) return verified;
    const statement = canonicalJson({ ...denial });
    // Whoever approved before may still deny: the vote stays as cast, the denial ends the request.
    await parts.approvals.addVote(tx, {
      approval: row.id, person: viewer.person, verdict: 'deny', reason: input.reason, statement: null, envelope: null, key: null, at: now,
    });
    await parts.approvals.resolve(tx, row.id, { state: 'denied', at: now, by: viewer.person, resolution: guidance });
    const changed = await parts.actions.change(tx, {
      id: row.action, from: 'held', at: now, state: 'denied', code: 'approval_denied', reason_shown: 'A person denied this.', guidance,
    });
    if (!changed) throw new Error(`Request ${row.id} is pending, but its action ${row.action} is not held.`);
    const reference = { id: row.action, digest: action.asked };
    const columns = { session: row.session, action: row.action, agent: action.agent, person: viewer.person, tool: action.tool, operation: action.operation };
    const voted = await parts.sign(
      'approval_voted',
      now,
      { approval: row.id, action: reference, person: viewer.person, verdict: 'deny', basis_digest: row.basis_digest, reason: input.reason, statement },
      columns,
    );
    const resolved = await parts.sign(
      'approval_resolved',
      now,
      { approval: row.id, action: reference, state: 'denied', votes: [...earlier, voted.id], by: { kind: 'person', id: viewer.person } },
      columns,
    );
    const receipts = [voted, resolved];
    // Rules that disagreed put it before people, and one of them has decided.
    const deferral = await parts.approvals.deferralOf(row.action, tx);
    if (deferral?.state === 'open') {
      await parts.approvals.resolveDeferral(tx, deferral.id, 'resolved', now);
      const body = { deferral: deferral.id, action: reference, outcome: 'decided', by: { kind: 'person', id: viewer.person }, decided: resolved.id } as const;
      receipts.push(await parts.sign('deferral_resolved', now, body, columns));
    }
    await parts.ledger.append(tx, receipts);
    await parts.events.publish(tx, [{ kind: 'approval_changed', id: row.id }, { kind: 'action_changed', id: row.action }, { kind: 'log_grew', id: parts.workspace }]);
    const given = (await parts.approvals.votes(row.id, tx)).filter(({ verdict }) => verdict === 'approve').length;
    return ok({ state: 'denied', quorum: { needed: row.quorum, given }, receipts: [voted.id, resolved.id] });
  });
}
