import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { InForce } from '@/lib/services/in-force';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * The class of a change that nobody works out at this place, so that it asks for the signatures of loosening. Right where a text has no
 * base to be compared with yet, where its signatures suffice for every class, and where a new trust root takes the same text along: its
 * signatures have to do for every process that loads it, also one that finds no base. What is in force says its class itself (`PolicyInForce`).
 */
export const unproved = 'not_proved';

/** What the next revision is written on; null when nothing is in force. */
export const inForceReference = ({ policy }: InForce): RevisionReference | null => policy && { revision: policy.revision, digest: policy.digest };

/** A cool-off runs from signatures that the log has on a proposal; a text that never was one would go around it. Failure: `cool_off_runs`. */
export function refuseUnproposed(root: TrustRoot, base: RevisionReference | null, digest: Digest): Result<null> {
  if (root.cool_off_seconds === 0 || base === null || base.digest === digest) return ok(null);
  return fail('cool_off_runs', 'The trust root asks for a cool-off, so policies come into force by proposals alone.', { fix: 'Propose it instead.' });
}
