import type { DeskAnswer, DeskAnswers, DeskKind } from './policy-desk-messages';

/** What the worker answered to a question of this kind. Throws when it answered another: the two sides would be of different builds. */
export function parseDeskAnswer<Kind extends DeskKind>(answer: DeskAnswer, kind: Kind): DeskAnswers[Kind] {
  if (answer.kind !== kind) throw new Error('The reader of policies answered another question.');
  return answer.value as DeskAnswers[Kind];
}
