import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import { withChanges } from './changed-requests';
import { ofKind, type Entry } from './parse-entries';

/** Milliseconds that a deferral may wait beyond the end of its receipt. */
export type GivenTime = (opened: ReceiptPredicate<'deferral_opened'>) => number;

/** Whoever gives a request more time gives as much to what waits behind it, one action behind another. What a request before the bundle had is taken as gone. */
export function givenTime(entries: readonly Entry[]): GivenTime {
  const deferrals = ofKind(entries, 'deferral_opened');
  const requests = ofKind(entries, 'approval_requested');
  const extensions = ofKind(entries, 'approval_extended');
  return (opened) => {
    const from = deferrals.find(({ predicate }) => predicate.deferral === opened.deferral)?.index ?? 0;
    const ahead = new Set(opened.waits_for);
    for (const action of ahead) for (const { predicate } of deferrals) if (predicate.action.id === action) for (const next of predicate.waits_for ?? []) ahead.add(next);
    const given = extensions.filter(({ index, predicate }) => index > from && ahead.has(predicate.action.id)).map(({ index, predicate }) => {
      const request = requests.findLast((one) => one.index < index && one.predicate.approval === predicate.approval);
      const before = request ? withChanges(request, index, entries).expires_at : predicate.at;
      return Date.parse(predicate.expires_at) - Date.parse(before);
    });
    return given.reduce((sum, ms) => sum + ms, 0);
  };
}
