import { answerName } from '@/lib/approvals/asked-back';
import { personById } from '@/lib/authority/roster-lookup';

import { withChanges } from './changed-requests';
import { inForceAt, ofKind, type Entry, type Placed } from './parse-entries';
import type { PlacedRoster } from './roster-history';

type Fault = { readonly index: number; readonly detail: string };

/**
 * A question that a person asked back is about the action of the request that gave way to it, by somebody to whom that was routed; its
 * number rises; and the action goes on only once it was answered. Gives the first that does not hold. What lies before the bundle is
 * not judged.
 */
export function faultOfQuestions(entries: readonly Entry[], rosters: readonly PlacedRoster[]): Fault | undefined {
  const opened = ofKind(entries, 'deferral_opened');
  for (const one of opened) {
    const detail = one.predicate.question && (faultOfAsking(one, entries, rosters) ?? faultOfNumber(one, opened));
    if (detail !== undefined) return { index: one.index, detail };
  }
  for (const { index, predicate } of ofKind(entries, 'approval_resolved')) {
    if (predicate.deferral === undefined) continue;
    const asked = opened.find(({ predicate: { deferral, question } }) => deferral === predicate.deferral && question?.approval === predicate.approval);
    if (!asked || predicate.state !== 'superseded') return { index, detail: 'A request gave way to a question that nobody asked.' };
  }
  return faultOfAnswers(opened, entries);
}

function faultOfAsking({ index, predicate: { action, question, deferral } }: Placed<'deferral_opened'>, entries: readonly Entry[], rosters: readonly PlacedRoster[]): string | undefined {
  if (!question) return undefined;
  const request = ofKind(entries, 'approval_requested').find((one) => one.index < index && one.predicate.approval === question.approval);
  if (!request) return undefined;
  if (request.predicate.action.id !== action.id || request.predicate.action.digest !== action.digest) return 'A question is about another action than its request.';
  const roster = inForceAt(rosters, index)?.roster;
  const person = roster && personById(roster, question.by);
  const asks = person && person.suspended !== true && person.groups.some((group) => withChanges(request, index, entries).approvers.includes(group));
  if (roster && asks !== true) return 'A question was asked back by somebody to whom its request was not routed.';
  const end = ofKind(entries, 'approval_resolved').find((one) => one.predicate.approval === question.approval);
  return end?.predicate.state === 'superseded' && end.predicate.deferral === deferral ? undefined : 'A question was asked back, and its request went on or ended otherwise.';
}

/** At most three an action, as the receipt's schema bounds the number. */
function faultOfNumber({ index, predicate: { action, question } }: Placed<'deferral_opened'>, opened: readonly Placed<'deferral_opened'>[]): string | undefined {
  const before = opened.findLast((one) => one.index < index && one.predicate.question && one.predicate.action.id === action.id);
  return before?.predicate.question && question && question.asked <= before.predicate.question.asked ? 'A question has the number of an earlier one.' : undefined;
}

function faultOfAnswers(opened: readonly Placed<'deferral_opened'>[], entries: readonly Entry[]): Fault | undefined {
  const decisions = new Map(ofKind(entries, 'action_decided').map(({ predicate }) => [predicate.receipt, predicate]));
  const supplied = ofKind(entries, 'attributes_supplied');
  for (const { index, predicate } of ofKind(entries, 'deferral_resolved')) {
    const asked = opened.find((one) => one.predicate.deferral === predicate.deferral);
    const decided = predicate.decided === undefined ? undefined : decisions.get(predicate.decided);
    if (!asked?.predicate.question || !decided || decided.decision === 'DENY') continue;
    const [subject, name] = [`action:${asked.predicate.action.id}`, answerName(asked.predicate.question.asked)];
    const answered = supplied.some((one) => one.index > asked.index && one.index < index && one.predicate.attributes.some((fact) => fact.subject === subject && fact.name === name));
    if (!answered) return { index, detail: 'The action went on without an answer to what was asked back.' };
  }
  return undefined;
}
