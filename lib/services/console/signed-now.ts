import { fail, ok, type Result } from '@/lib/shared/result';

/** How old a statement may be when it comes in, and how far the signer's clock may be ahead. Milliseconds. */
const mostAgeMs = 15 * 60_000;
const aheadMs = 5 * 60_000;

/** A statement is used when it is signed: one that somebody kept is not. Both times are ISO, UTC; `now` is the database's. */
export function signedNow(signedAt: string, now: string): Result<null> {
  const age = Date.parse(now) - Date.parse(signedAt);
  return age <= mostAgeMs && age >= -aheadMs ? ok(null) : fail('conflict', `It was signed at ${signedAt}, by a clock that is not near ${now}.`, { fix: 'Set this device’s clock, and sign again.' });
}
