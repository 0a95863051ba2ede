import type { Check, CheckId } from './report';

/** Checks whose `firstBad` is a size of the log, or the start of what does not add up: they cannot say which receipt it is. */
const ofNoReceipt: readonly CheckId[] = ['tree', 'checkpoints', 'consistency'];

/**
 * The failure to look at: a foreign trust root, since every key then fails with it, else the first check that names a receipt, else the
 * first one.
 */
export function firstFailure(checks: readonly Check[]): Check | undefined {
  const failures = checks.filter(({ state }) => state === 'fail');
  return failures.find(({ id }) => id === 'trust_root') ?? failures.find((check) => failedAt(check) !== undefined) ?? failures[0];
}

/** The position of the receipt at which a failure shows; undefined when it is about the file as a whole. */
export const failedAt = ({ id, firstBad }: Check): number | undefined => (ofNoReceipt.includes(id) ? undefined : firstBad);
