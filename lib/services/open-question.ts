import { z } from 'zod';

import { answerField, answerName } from '@/lib/approvals/asked-back';
import type { AskedBack } from '@/lib/approvals/held-action';
import { personById } from '@/lib/authority/roster-lookup';
import type { AttributeFact, PointAnswer } from '@/lib/context/snapshot';
import type { MissingField } from '@/lib/engine/decision';
import type { DeferralRow } from '@/lib/ports/approval-store';
import { digestField, idField } from '@/lib/shared/document-fields';
import type { ActionId } from '@/lib/shared/ids';
import { parseOwnJson } from '@/lib/shared/parse-own-json';

import { openContent } from './action-content';
import { storedMissing } from './askable-fields';
import type { InForce } from './in-force';
import type { PlaneParts } from './plane-parts';
import type { LiveSession } from './session-contexts';

/** How the evidence in a snapshot names that a person waits for an answer. It is not the field that the answer goes into. */
const questionPoint = 'asked_back';
export const questionField = `point:${questionPoint}`;

const stored = z.strictObject({ by: idField('person'), approval: idField('approval'), digest: digestField, asked: z.int().min(1).max(3) });

/** A question as it lies with its deferral: who asked, instead of deciding which request, and the content digest of the words. */
export type StoredQuestion = z.infer<typeof stored>;

/** What a deferral's row says was asked; null: it waits for something else. */
export const questionOf = ({ question }: Pick<DeferralRow, 'question'>): StoredQuestion | null => (question === null ? null : stored.parse(parseOwnJson(question)));

/** The field that an action still waits for because somebody asked back; null once that is answered, or nobody did. */
export function openQuestion(deferral: DeferralRow, session: Pick<LiveSession, 'state'>): MissingField | null {
  const question = questionOf(deferral);
  if (question === null || answerTo(deferral.action, question.asked, session)) return null;
  const field = storedMissing(deferral.missing).find(({ attribute }) => attribute === answerName(question.asked));
  return field ?? answerField(deferral.action, question.asked, null);
}

/** Evidence that an answer is missing: an answer that never permits, so it can only hold the action back. */
export const questionEvidence = (field: MissingField | null): readonly PointAnswer[] =>
  field === null ? [] : [{ point: questionPoint, answer: 'indeterminate', cause: 'a person asked back and waits for an answer.' }];

/** All that was asked about an action and answered, for the people who decide it next. What was erased is left out. */
export async function askedAndAnswered(parts: Pick<PlaneParts, 'stores' | 'sha256'>, action: ActionId, session: Pick<LiveSession, 'state'>, { roster }: InForce): Promise<readonly AskedBack[]> {
  const found: AskedBack[] = [];
  for (const deferral of await parts.stores.approvals.questionsOf(action)) {
    const question = questionOf(deferral);
    const answer = question && answerTo(action, question.asked, session);
    const words = question && (await openContent(parts.stores.content, parts.sha256, question.digest));
    if (!question || !answer || typeof words !== 'string') continue;
    const { by } = question;
    found.push({
      by, name: (roster && personById(roster.roster, by)?.name) ?? by, at: deferral.created_at, question: words,
      answer: answer.unavailable || typeof answer.value !== 'string' ? null : answer.value, answered_by: answer.source, answered_at: answer.observed_at,
    });
  }
  return found;
}

/** The newest answer. Only who was asked could give one: other credentials may not name the field, and a person's is signed. */
const answerTo = (action: ActionId, asked: number, { state }: Pick<LiveSession, 'state'>): AttributeFact | undefined =>
  state.attributes.of([`action:${action}`]).findLast(({ name }) => name === answerName(asked));
