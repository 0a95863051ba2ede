import type { ChangeClass } from './policy-revision';
import type { TrustRoot } from './trust-root';

/**
 * When a change that enough owners have signed may come into force: milliseconds since 1970; null where it waits for nothing. It runs from
 * the log time of the last signature that was needed (ISO 8601, UTC), and for tightening there is none.
 */
export function coolOffEndsMs({ cool_off_seconds: seconds }: Pick<TrustRoot, 'cool_off_seconds'>, change: ChangeClass, enoughAt: string): number | null {
  return change === 'tighten' || seconds === 0 ? null : Date.parse(enoughAt) + seconds * 1000;
}
