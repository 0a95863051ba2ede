import { withoutKeys } from '@/lib/authority/without-keys';

import { inForceAt, ofKind, type Entry } from './parse-entries';
import type { PlacedRoster } from './roster-history';

/**
 * What counts of the rosters from each position on: a key that its person revoked is gone at that receipt, from the roster in force and
 * from every later one. Final, as withdrawals are: a roster that lists the key again brings nothing back.
 */
export function withoutRevokedKeys(rosters: readonly PlacedRoster[], entries: readonly Entry[]): readonly PlacedRoster[] {
  const revocations = ofKind(entries, 'key_removed').filter(({ predicate }) => predicate.cause === 'revoked');
  if (revocations.length === 0) return rosters;
  const positions = [...rosters.map(({ index }) => index), ...revocations.map(({ index }) => index)].sort((a, b) => a - b);
  return positions.flatMap((index) => {
    const placed = inForceAt(rosters, index);
    const gone = new Set<string>(revocations.filter((one) => one.index <= index).map(({ predicate }) => predicate.key));
    return placed ? [{ ...placed, roster: withoutKeys(placed.roster, gone), index }] : [];
  });
}
