import { z } from 'zod';

import { answerName } from '@/lib/approvals/asked-back';
import { personById } from '@/lib/authority/roster-lookup';
import type { DeferralItem, DeferralsView, MissingFact, ShownAttempt, WaitingAction } from '@/lib/contracts/console/deferrals';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { ActionRow } from '@/lib/ports/action-store';
import type { AttemptRow } from '@/lib/ports/attempt-store';
import type { DeferralQueueRow } from '@/lib/ports/console-reads';
import { storedMissing } from '@/lib/services/askable-fields';
import type { InForce } from '@/lib/services/in-force';
import { questionOf } from '@/lib/services/open-question';
import { normalEmail } from '@/lib/shared/email';
import type { ActionId, Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { ConsoleParts } from '../console-parts';
import { answersAs } from '../answers-as';
import { sightOf } from '../sight';

const most = 500;

/** Actions that wait for something missing, soonest end first, as far as the viewer may see. */
export async function deferralsView({ reads, actions, attempts, content, inForce: authority }: Pick<ConsoleParts, 'reads' | 'actions' | 'attempts' | 'content' | 'inForce'>, viewer: Viewer): Promise<DeferralsView> {
  const [rows, now, inForce] = await Promise.all([reads.deferrals(sightOf(viewer), most), reads.now(), authority.current()]);
  const questions = rows.flatMap((row) => questionOf(row) ?? []);
  const [ahead, asked, words] = await Promise.all([
    actions.find([...new Set(rows.flatMap(({ waits_for }) => waits_for))]),
    attempts.ofDeferrals(rows.map(({ id }) => id)),
    questions.length === 0 ? new Map<Digest, { readonly value: Json }>() : content.find(questions.map(({ digest }) => digest)),
  ]);
  return { items: rows.map((row) => itemOf(row, rows, viewer, inForce, ahead, asked.filter(({ deferral }) => deferral === row.id), words)), now };
}

/** The parts of the engine's decision that say why it waits; an action that was deferred without it has none. */
const waitingDecision = z.object({
  unknown: z.array(z.object({ id: z.string() })).default([]),
  determining: z.array(z.object({ id: z.string() })).default([]),
  deferral: z.object({ conflict: z.array(z.string()).default([]), at_timeout: z.unknown().optional() }).optional(),
});

function itemOf(
  row: DeferralQueueRow,
  all: readonly DeferralQueueRow[],
  viewer: Viewer,
  inForce: InForce,
  ahead: ReadonlyMap<ActionId, ActionRow>,
  attempts: readonly AttemptRow[],
  words: ReadonlyMap<Digest, { readonly value: Json }>,
): DeferralItem {
  const { missing, decision: body, tool, operation, waits_for, question: _question, ...rest } = row;
  const question = shownQuestion(row, words, inForce);
  const { unknown, determining, deferral } = waitingDecision.parse(JSON.parse(body));
  const rules = deferral && deferral.conflict.length > 0 ? deferral.conflict : [...determining, ...unknown].map(({ id }) => id);
  return {
    ...rest,
    title: `${tool}.${operation}`,
    own: normalEmail(row.human) === normalEmail(viewer.email),
    missing: storedMissing(missing).map(({ field, subject, attribute, suppliers }): MissingFact => ({
      field,
      subject: subject ?? null,
      attribute: attribute ?? null,
      suppliers,
      attempts: attempts.filter((one) => one.subject === subject && one.name === attribute).map(shownAttempt),
      answer_as: subject === undefined || attribute === undefined ? null : answersAs(inForce, viewer, attribute, row, question?.attribute === attribute ? suppliers : undefined),
      type: question !== null && question.attribute === attribute ? 'string' : ((attribute === undefined ? undefined : inForce.policy?.compiled.information.get(attribute)?.type) ?? null),
    })),
    question,
    rules: [...new Set(rules)],
    waits_for: waits_for.flatMap((action) => shownAction(ahead.get(action))),
    // Whoever sees this one sees what is behind it: it is of the same session.
    blocks: all.filter((other) => other.waits_for.includes(row.action)).map((other): WaitingAction => ({ action: other.action, title: `${other.tool}.${other.operation}`, state: 'deferred' })),
    at_timeout: question !== null || deferral?.at_timeout === undefined ? 'DENY' : 'STEP_UP',
  };
}

function shownQuestion(row: DeferralQueueRow, words: ReadonlyMap<Digest, { readonly value: Json }>, { roster }: InForce): DeferralItem['question'] {
  const question = questionOf(row);
  if (question === null) return null;
  const text = words.get(question.digest)?.value;
  const name = roster && personById(roster.roster, question.by)?.name;
  return { text: typeof text === 'string' ? text : '', by_name: name ?? question.by, attribute: answerName(question.asked) };
}

const shownAttempt = ({ source, attempt, asked_at, outcome, detail }: AttemptRow): ShownAttempt => ({ source, attempt, asked_at, outcome: outcome ?? 'asking', detail });

const shownAction = (row: ActionRow | undefined): readonly WaitingAction[] =>
  row ? [{ action: row.id, title: `${row.tool}.${row.operation}`, state: row.state }] : [];
