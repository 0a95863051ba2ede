import { fail, ok, type Result } from '@/lib/shared/result';
import type { ActionId, ApprovalId, PersonId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import type { RequestTerms } from './approval-state';
import { isRouted } from './eligible-approvers';
import type { HeldAction } from './held-action';
import type { Approver } from './vote';

/** Questions that may be asked back about one action, and the length of each and of its answer. */
export const mostQuestions = 3;
export const questionLength = 1000;
export const answerLength = 4000;

/** What an approver asks instead of deciding. It needs no key: all it does is make the action wait, and time ends that in DENY. */
export type Question = { readonly request: ApprovalId; readonly person: PersonId; readonly text: string; readonly at: Timestamp };

/** The field that the answer to the nth question about an action goes into. Its value is for people: a rule reads it only where a policy lists it. */
export const answerName = (asked: number): string => `answer.${String(asked)}`;
export const isAnswerName = (name: string): boolean => /^answer\.[1-3]$/.test(name);

/** What is missing while a question is open. `orchestrator` names the one that opened the session; null: nobody knows it any more. */
export const answerField = (action: ActionId, asked: number, orchestrator: string | null) => ({
  field: answerName(asked),
  subject: `action:${action}`,
  attribute: answerName(asked),
  suppliers: ['requester', ...(orchestrator === null ? [] : [`orchestrator:${orchestrator}`])],
});

/**
 * Asking back is not barred by separation of duties, like denying: it only delays. `before`: the questions that were asked about the
 * action already; `terms`: the request as it stands, left out: as it was made. Refusals: `not_an_approver`, `reason_required` (no words),
 * `invalid_input`, `conflict` (no question left), `approval_expired`.
 */
export function verifyQuestion(
  question: Question,
  held: HeldAction,
  approver: Approver | undefined,
  before: number,
  { asked, expires_at }: RequestTerms = { asked: held.approvers.groups, expires_at: held.expires_at },
): Result<Question> {
  if (question.request !== held.approval) return fail('invalid_input', 'The question is about another request.');
  if (!isRouted(approver, question.person, asked)) return fail('not_an_approver', 'The request is not routed to you.');
  if (question.text.trim() === '') return fail('reason_required', 'Say what you want to know.');
  if (question.text.length > questionLength || !question.text.isWellFormed()) return fail('invalid_input', 'The question is too long or not valid text.');
  if (before >= mostQuestions) return fail('conflict', `${String(mostQuestions)} questions were asked about this action.`, { fix: 'Approve or deny it by what is known.' });
  if (question.at >= expires_at) return fail('approval_expired', `The request expired at ${expires_at}.`);
  return ok(question);
}
