import { answerField, verifyQuestion } from '@/lib/approvals/asked-back';
import type { AskBackInput, AskedBackView } from '@/lib/contracts/console/approvals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { DeferralRow } from '@/lib/ports/approval-store';
import { freshContent } from '@/lib/services/action-content';
import { withinLife } from '@/lib/services/deferral-rows';
import { later } from '@/lib/services/later';
import type { StoredQuestion } from '@/lib/services/open-question';
import { editOf } from '@/lib/services/proven-edit';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { err, fail, ok, type Result } from '@/lib/shared/result';

import { alreadyEdited, alreadyOver, approverOf } from './approval-look';
import type { ConsoleParts } from './console-parts';
import { readHeld } from './held-request';
import { sightOf } from './sight';
import { suspendedPeople } from './suspended-people';

/**
 * Puts a question to the person the action is for, or to the orchestrator, instead of deciding: the request ends, and its action waits for
 * the answer. Answered, it is decided again and people are asked anew; unanswered, it is denied when the deferral's time is over. Needs
 * the session and membership, no key. Failures: `not_found`, `already_resolved`, `edit_pending`, why nothing can be decided now, those of `verifyQuestion`.
 */
export async function askBack(parts: ConsoleParts, viewer: Viewer, input: AskBackInput): Promise<Result<AskedBackView>> {
  const { sha256 } = parts.cryptography;
  const seen = (await parts.reads.maySeeApproval(sightOf(viewer), input.approval)) ? await parts.approvals.find(input.approval) : undefined;
  if (!seen) return fail('not_found', 'There is no such request, or it is not routed to you.');
  const held = readHeld(seen, { sha256 });
  if (!held.ok) return held;
  const { roster, root, policy, denied } = await parts.inForce.current();
  if (!roster || !root || !policy) return fail(denied ?? 'policy_unsigned', 'No policy is in force, so nothing that was answered could be decided.');
  const action = (await parts.actions.find([seen.action])).get(seen.action);
  const session = (await parts.sessions.find([seen.session])).get(seen.session);
  if (!action || !session) return fail('not_found', 'The action of this request is gone.');
  const orchestrator = (await parts.credentials.find([session.service])).get(session.service);
  const content = freshContent(sha256, parts.ids.salt(), input.question);

  return await parts.transactor.withHead(async (tx, { now }) => {
    const row = await parts.approvals.find(seen.id, tx);
    if (row?.state !== 'pending') return err(alreadyOver(row ?? seen, roster.roster));
    const edited = editOf(row);
    if (edited) return err(alreadyEdited(edited, roster.roster));
    const suspended = await suspendedPeople(parts.people, [viewer.person], tx);
    const before = (await parts.approvals.questionsOf(row.action, tx)).length;
    const approver = approverOf({ root: root.root, roster: roster.roster, suspended }, viewer.person);
    const verified = verifyQuestion({ request: row.id, person: viewer.person, text: input.question, at: now }, held.value, approver, before, { asked: row.approvers, expires_at: row.expires_at });
    if (!verified.ok) return verified;
    const expires_at = withinLife(action.proposed_at, later(now, policy.compiled.deferrals.timeout_s));
    const question: StoredQuestion = { by: viewer.person, approval: row.id, digest: content.digest, asked: before + 1 };
    const missing = [answerField(row.action, question.asked, orchestrator?.subject ?? null)];
    const waiting: DeferralRow = {
      id: parts.ids.make('deferral'), action: row.action, session: row.session, state: 'open', missing: canonicalJson(asJson(missing)), waits_for: [], depth: 1,
      ask_at: null, created_at: now, expires_at, resolved_at: null, question: canonicalJson(asJson(question)),
    };
    const by = { kind: 'person', id: viewer.person } as const;
    const reference = { id: row.action, digest: action.asked };
    const columns = { session: row.session, action: row.action, agent: action.agent, person: viewer.person, tool: action.tool, operation: action.operation };
    const receipts = [await parts.sign('approval_resolved', now, { approval: row.id, action: reference, state: 'superseded', votes: [], by, deferral: waiting.id }, columns)];
    await parts.approvals.resolve(tx, row.id, { state: 'superseded', at: now, by: viewer.person, resolution: null });
    // Rules that disagreed put it before people, and one of them wants to know more first.
    const conflict = await parts.approvals.deferralOf(row.action, tx);
    if (conflict?.state === 'open') {
      await parts.approvals.resolveDeferral(tx, conflict.id, 'resolved', now);
      receipts.push(await parts.sign('deferral_resolved', now, { deferral: conflict.id, action: reference, outcome: 'superseded', by }, columns));
    }
    const opened = { deferral: waiting.id, session: row.session, action: reference, missing, conflict: [], question, expires_at };
    receipts.push(await parts.sign('deferral_opened', now, opened, columns));
    const changed = await parts.actions.change(tx, { id: row.action, from: 'held', at: now, state: 'deferred', code: 'needs_context', reason_shown: 'A person asked back and waits for an answer.' });
    if (!changed) throw new Error(`Request ${row.id} is pending, but its action ${row.action} is not held.`);
    await parts.content.add(tx, [content]);
    await parts.approvals.insertDeferrals(tx, [waiting]);
    await parts.ledger.append(tx, receipts);
    await parts.events.publish(tx, [{ kind: 'approval_changed', id: row.id }, { kind: 'action_changed', id: row.action }, { kind: 'log_grew', id: parts.workspace }]);
    return ok({ deferral: waiting.id, expires_at, receipts: receipts.map(({ id }) => id) });
  });
}
