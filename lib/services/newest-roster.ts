import type { VerifiedRoster } from '@/lib/authority/roster';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import { verifyRoster } from '@/lib/authority/verify-roster';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { DocumentRow } from '@/lib/ports/authority-store';
import { parseEnvelope } from '@/lib/shared/dsse';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

import type { InForce } from './in-force';

/** The newest roster that verifies; one that does not leaves the last good one of this process in force. */
export async function newestRoster(
  rows: readonly DocumentRow[],
  root: VerifiedTrustRoot,
  before: InForce | undefined,
  cryptography: Cryptography,
): Promise<Result<{ readonly verified: VerifiedRoster; readonly refusal: Fault | null }>> {
  const newest = rows.at(-1);
  if (!newest) return fail('roster_invalid', 'There is no roster.');
  const envelope = parseEnvelope(newest.envelope);
  const roster = envelope.ok ? await verifyRoster(envelope.value, root.root, cryptography) : fail('roster_invalid', `Roster ${newest.version} cannot be read.`, { cause: envelope.error });
  const placed = roster.ok && roster.value.roster.version !== newest.version ? fail('roster_invalid', 'The row names another version than the roster.') : roster;
  if (placed.ok) return ok({ verified: placed.value, refusal: null });
  const last = before?.root?.root.version === root.root.version ? before.roster : null;
  return last && last.roster.version >= newest.version - 1 ? ok({ verified: last, refusal: placed.error }) : placed;
}
