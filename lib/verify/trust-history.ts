import { verifyTrustRoots, type Cryptography } from '@/lib/authority/verify-trust-root';
import { rootInForceAt, type RootInForce } from '@/lib/authority/service-keys';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { ofKind, type Entry } from './parse-entries';
import { noticeInLog, showsNotice } from './recovery-notice';
import { failed, passed, unknown, type Check } from './report';

export type PlacedRoot = RootInForce & { readonly digest: Digest };

export type TrustHistory = { readonly check: Check; readonly roots: readonly PlacedRoot[]; readonly fingerprint: Digest | null };

/**
 * The chain of trust roots from the fingerprint on (without one: from the bundle's own first), each at the position where
 * its receipt lies. What cannot be placed is not used.
 */
export async function readTrustHistory(
  envelopes: readonly Envelope[],
  entries: readonly Entry[],
  fingerprint: Digest | undefined,
  cryptography: Cryptography,
): Promise<TrustHistory> {
  const first = envelopes[0] && envelopePayload(envelopes[0]);
  if (!first) return { check: failed('trust_root', 'The bundle has no trust root.'), roots: [], fingerprint: null };
  const own = digestOf(cryptography.sha256, first);
  const receipts = ofKind(entries, 'trust_root_changed');
  const roots: PlacedRoot[] = [];
  const end = (check: Check): TrustHistory => ({ check, roots, fingerprint: own });
  const recovered = new Set<Digest>();
  const notice = noticeInLog(entries);
  const chain = await verifyTrustRoots(envelopes, fingerprint ?? own, cryptography, (digest) => {
    recovered.add(digest);
    return notice(digest);
  });
  for (const { root, digest } of chain.roots) {
    const receipt = receipts.find(({ predicate }) => predicate.digest === digest && predicate.version === root.version);
    const before = roots.at(-1);
    if (!receipt) return end(failed('trust_root', `No receipt brings trust root ${root.version} into force.`));
    if (before && receipt.index <= before.index) return end(failed('trust_root', `Trust root ${root.version} comes before the one it follows.`, receipt.index));
    roots.push({ index: receipt.index, root, digest });
  }
  if (chain.fault) return end(failed('trust_root', chain.fault.error.detail));
  const stray = receipts.find(({ index }) => !roots.some((placed) => placed.index === index));
  if (stray) return end(failed('trust_root', `Trust root ${stray.predicate.version} came into force, but is not in the bundle, or had been in force before.`, stray.index));
  const unseen = roots.find(({ digest }) => recovered.has(digest) && !showsNotice(entries, digest));
  if (unseen) return end(unknown('trust_root', `Trust root ${unseen.root.version} rests on the recovery key. Its notice is in the bundle; that no owner cancelled it, only a bundle with every receipt of that time shows.`));
  const versions = roots.length === 1 ? 'One trust root' : `${roots.length} trust roots`;
  return end(passed('trust_root', fingerprint ? `${versions}, from the fingerprint you gave.` : `${versions}. No fingerprint was given: the bundle vouches for itself.`));
}

export const rootAt = (roots: readonly PlacedRoot[], index: number): TrustRoot | undefined => rootInForceAt(roots, index)?.root;
