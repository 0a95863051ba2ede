import type { BundleManifest } from '@/lib/ledger/bundle-manifest';

import type { Entry } from './parse-entries';
import { failed, passed, unknown, type Check } from './report';

/** Positions and tree are checked elsewhere; this says what part of the log they cover. */
export function checkCompleteness(entries: readonly Entry[], { range, size, session, case: action }: BundleManifest): Check {
  if (size === 0 || entries.length === 0) return failed('completeness', 'The bundle holds no receipt: a log begins with its trust root.');
  if (action !== undefined) {
    return unknown('completeness', `A selection: the case of ${action}, with what it rests on in its session. Each receipt is in the log; that none of them is left out shows only where the session’s context would have a gap.`);
  }
  if (session !== undefined) {
    return unknown('completeness', `A selection: each receipt is in the log; that none of session ${session} is left out shows only where its context would have a gap.`);
  }
  if (range.from === range.to) return unknown('completeness', 'A selection: each receipt is in the log; which ones were left out cannot be seen.');
  if (range.from === 0 && range.to === size) return passed('completeness', `All ${size} receipts of the log.`);
  return passed('completeness', `Receipts ${range.from} to ${range.to - 1} of ${size}, without a gap.`);
}
