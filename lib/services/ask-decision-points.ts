import { z } from 'zod';

import type { PointAnswer } from '@/lib/context/snapshot';
import type { CanonicalAction } from '@/lib/mediate/action';
import type { DecisionPoint, PointQuestion } from '@/lib/ports/decision-point';
import type { ActionId } from '@/lib/shared/ids';

import type { LiveSession } from './session-contexts';

const reply = z.strictObject({ answer: z.enum(['permit', 'deny', 'indeterminate']), cause: z.string().max(500) });

type Asked = { readonly id: ActionId; readonly action: CanonicalAction; readonly session: LiveSession; readonly now: string };

/**
 * The answers of every further decision point, all asked at once, in the order of their names. Never throws: whatever goes wrong is
 * an answer that denies. Settles by the latest of their deadlines.
 */
export async function askDecisionPoints(points: readonly DecisionPoint[], asked: Asked): Promise<readonly PointAnswer[]> {
  const question = questionOf(asked);
  const answers = await Promise.all(points.map((point) => answerOf(point, question)));
  return answers.sort((a, b) => (a.point < b.point ? -1 : 1));
}

function questionOf({ id, action, session, now }: Asked): PointQuestion {
  const { tool, operation, parameters, facts } = action;
  const { row, state } = session;
  return {
    action: { id, tool, operation, parameters, impact: facts.impact, facts },
    session: { id: row.id, human: row.human, agent: row.agent, requests: state.requests, labels: [...state.labels.current()].sort() },
    at: now,
  };
}

async function answerOf({ name, deadlineMs, ask }: DecisionPoint, question: PointQuestion): Promise<PointAnswer> {
  const said = (answer: PointAnswer['answer'], cause: string): PointAnswer => ({ answer, at: question.at, cause, point: name });
  const late = AbortSignal.timeout(deadlineMs);
  let stopWaiting = (): void => undefined;
  const deadline = new Promise<'late'>((resolve) => {
    stopWaiting = () => resolve('late');
    late.addEventListener('abort', stopWaiting, { once: true });
  });
  try {
    const answer = await Promise.race([ask(question, late), deadline]);
    if (answer === 'late') return said('fault', `it did not answer within ${String(deadlineMs)} ms.`);
    const read = reply.safeParse(answer);
    return read.success ? said(read.data.answer, read.data.cause) : said('fault', 'its answer cannot be read.');
  } catch {
    // What went wrong is the point's own to log; an agent learns only that it did.
    return said('fault', 'it failed.');
  } finally {
    late.removeEventListener('abort', stopWaiting);
  }
}
