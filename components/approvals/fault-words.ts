import type { ShownFault } from '@/lib/contracts/console/action-result';
import type { ErrorCode } from '@/lib/shared/error-codes';

/** What happened, what did not, and one next step. */
export type FaultWords = { readonly title: string; readonly rest: string; readonly readAgain: boolean };

type Words = { readonly title: string; readonly not: string; readonly next: string };

const known: Partial<Record<ErrorCode, Words>> = {
  already_resolved: { title: 'Somebody was faster.', not: 'Your decision was not recorded.', next: 'Go on with the next one.' },
  approval_expired: { title: 'Time ran out.', not: 'Your decision was not recorded; nothing ran.', next: 'Go on with the next one.' },
  approval_stale: { title: 'It changed while you looked at it.', not: 'Your signature was not counted; nothing ran.', next: 'Look at it as it is now, and decide again.' },
  edit_pending: { title: 'Somebody has changed this request.', not: 'Your decision was not recorded; nothing ran.', next: 'Look at what comes of it.' },
  already_voted: { title: 'You have voted on this.', not: 'It was not counted twice.', next: 'Somebody else has to complete the quorum.' },
  signature_invalid: { title: 'Your signature does not verify.', not: 'It was not counted; nothing ran.', next: 'Load the page anew and sign again.' },
  key_not_enrolled: { title: 'The roster does not list this key.', not: 'Nothing was recorded.', next: 'Enrol this browser’s key under Settings.' },
  key_kind_refused: { title: 'This kind of key may not sign that.', not: 'Nothing was recorded.', next: 'Somebody with a stronger key has to decide.' },
  separation_of_duties: { title: 'You are part of this request.', not: 'Nothing was recorded.', next: 'Somebody else has to decide.' },
  not_an_approver: { title: 'This is not routed to you.', not: 'Nothing was recorded.', next: 'Somebody of its groups has to decide.' },
  unavailable: { title: 'The console’s server did not answer.', not: 'It is not known whether this was recorded.', next: 'Look at the request again before you repeat it.' },
  sign_in_needed: { title: 'You are signed out.', not: 'Nothing was recorded.', next: 'Sign in again.' },
};

/** Codes after which what is on screen is no longer what is stored. */
const moved: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['already_resolved', 'approval_expired', 'approval_stale', 'edit_pending', 'already_voted', 'unavailable']);

export function faultWords(fault: ShownFault): FaultWords {
  const words = known[fault.code] ?? { title: `${fault.title}.`, not: 'Nothing was recorded.', next: fault.fix ?? 'Try again.' };
  return { title: words.title, rest: [...(fault.detail === words.title ? [] : [fault.detail]), words.not, words.next].join(' '), readAgain: moved.has(fault.code) };
}
