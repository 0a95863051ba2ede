import type { Sha256 } from '@/lib/shared/encoding';
import type { KeyId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import type { Timestamp } from '@/lib/shared/timestamp';

import { trustRootDigest } from './sign-documents';
import type { ServiceKey, TrustRoot } from './trust-root';

/** A range that no log reaches: how a key that was never good is listed, because one that is not listed is withdrawn from nothing. */
export const unreachable = Number.MAX_SAFE_INTEGER;

type Successor = { readonly createdAt: Timestamp; readonly sha256: Sha256 };

/** The next version of a root, not signed yet: changed as said, naming the one before. */
export const nextTrustRoot = (
  before: TrustRoot,
  changes: Partial<Omit<TrustRoot, 'schema' | 'workspace' | 'version' | 'previous' | 'created_at'>>,
  { createdAt, sha256 }: Successor,
): TrustRoot => ({ ...before, ...changes, version: before.version + 1, previous: trustRootDigest(before, sha256), created_at: createdAt });

/**
 * A successor takes over the role of a key: it may sign from position `from` on, the retired one up to and including `until`.
 * Between the two both may: long enough for every process to have changed over. Throws on a gap, in which nobody could sign.
 */
export function rotateServiceKey(
  before: TrustRoot,
  rotation: { readonly retired: KeyId; readonly successor: PublicKeyEntry; readonly from: number; readonly until: number },
  successor: Successor,
): TrustRoot {
  const { retired, from, until } = rotation;
  const old = listed(before, retired);
  const to = Math.min(until, old.to ?? until);
  if (to < from - 1 || to < old.from) throw new RangeError(`The retired key signs positions ${old.from} to ${to}, its successor those from ${from} on.`);
  const services = replaced(before, retired, { ...old, to });
  return nextTrustRoot(before, { services: [...services, { key: rotation.successor, role: old.role, from }] }, successor);
}

/**
 * Withdraws a key from every position after `lastGood`, also from those that the log has already: what it signed there counts no
 * longer. `null`, or a position before the key began, withdraws it entirely.
 */
export function revokeServiceKey(before: TrustRoot, key: KeyId, lastGood: number | null, successor: Successor): TrustRoot {
  const old = listed(before, key);
  const range = lastGood === null || lastGood < old.from ? { from: unreachable, to: unreachable } : { to: Math.min(lastGood, old.to ?? lastGood) };
  return nextTrustRoot(before, { services: replaced(before, key, { ...old, ...range }) }, successor);
}

function listed({ services }: TrustRoot, keyId: KeyId): ServiceKey {
  const found = services.find(({ key }) => key.id === keyId);
  if (!found) throw new RangeError(`The trust root does not list the service key ${keyId}.`);
  return found;
}

const replaced = ({ services }: TrustRoot, keyId: KeyId, by: ServiceKey): readonly ServiceKey[] => services.map((one) => (one.key.id === keyId ? by : one));
