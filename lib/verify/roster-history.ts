import type { VerifiedRoster } from '@/lib/authority/roster';
import { verifyNextRoster } from '@/lib/authority/verify-roster';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';

import { ofKind, type Entry } from './parse-entries';
import { failed, passed, type Check } from './report';
import { rootAt, type PlacedRoot } from './trust-history';

export type PlacedRoster = VerifiedRoster & { readonly index: number };

export type RosterHistory = { readonly check: Check; readonly rosters: readonly PlacedRoster[] };

/** Every roster from the first on, signed as the trust root in force at its position asks, each following the one before. */
export async function readRosterHistory(
  envelopes: readonly Envelope[],
  entries: readonly Entry[],
  roots: readonly PlacedRoot[],
  cryptography: Cryptography,
): Promise<RosterHistory> {
  const receipts = ofKind(entries, 'roster_changed');
  const rosters: PlacedRoster[] = [];
  const end = (check: Check): RosterHistory => ({ check, rosters });
  for (const envelope of envelopes) {
    const payload = envelopePayload(envelope);
    const digest = payload && digestOf(cryptography.sha256, payload);
    const receipt = receipts.find(({ predicate }) => predicate.digest === digest);
    const root = receipt && rootAt(roots, receipt.index);
    if (!receipt || !root) return end(failed('rosters', 'A roster of the bundle never came into force.'));
    const before = rosters.at(-1);
    const verified = await verifyNextRoster(envelope, root, before ?? null, cryptography);
    if (!verified.ok) return end(failed('rosters', verified.error.detail, receipt.index));
    if (before && receipt.index <= before.index) return end(failed('rosters', `Roster ${verified.value.roster.version} comes before the one it follows.`, receipt.index));
    rosters.push({ ...verified.value, index: receipt.index });
  }
  const stray = receipts.find(({ index }) => !rosters.some((placed) => placed.index === index));
  if (stray) return end(failed('rosters', `Roster ${stray.predicate.version} came into force, but is not in the bundle, or had been in force before.`, stray.index));
  return end(passed('rosters', rosters.length === 1 ? 'One roster.' : `${rosters.length} rosters.`));
}
