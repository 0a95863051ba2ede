import type { Entry } from './parse-entries';
import { failed, passed, type Check } from './report';

/**
 * Seconds by which a receipt may be dated before one that precedes it: receipts are signed before they get their place, and two
 * processes wait for it at once. Nothing waits longer than this.
 */
export const mostSecondsBack = 120;

/** Receipts are dated by the database's clock, which never goes back behind the log: a later receipt with an earlier time was backdated. */
export function checkTimes(entries: readonly Entry[]): Check {
  let latest = '';
  for (const { index, body } of entries) {
    const at = body?.predicate.at;
    if (at === undefined) continue;
    if (latest !== '' && Date.parse(latest) - Date.parse(at) > mostSecondsBack * 1000) {
      return failed('times', `The receipt is dated ${at}, although an earlier one is of ${latest}.`, index);
    }
    if (at > latest) latest = at;
  }
  return passed('times', latest === '' ? 'No receipt.' : `Up to ${latest}.`);
}
