import { readRecovery } from '@/lib/authority/verify-trust-root';
import type { ReceiptPredicate } from '@/lib/ledger/receipt-predicate';

import { ownersAt, type EventEvidence } from './event-evidence';
import { inForceAt, ofKind } from './parse-entries';

/** Why an announcement is none; undefined when the recovery key of the root in force signed the very root that it states, and no owner had cancelled that one. */
export async function faultOfAnnouncement(predicate: ReceiptPredicate<'recovery_announced'>, index: number, { entries, roots, cryptography }: EventEvidence): Promise<string | undefined> {
  const before = inForceAt(roots, index);
  if (!before) return 'No trust root was in force.';
  const next = await readRecovery(predicate.envelope, before, cryptography);
  if (!next.ok) return next.error.detail;
  const { root, digest } = next.value;
  if (digest !== predicate.digest || root.version !== predicate.version || root.previous !== predicate.previous_digest) return 'The receipt announces another trust root than the recovery key signed.';
  const cancelled = ofKind(entries, 'recovery_cancelled').some((one) => one.index < index && one.predicate.digest === digest);
  return cancelled ? 'A recovery is announced again that an owner had cancelled.' : undefined;
}

/** Announcements are in every bundle, so one that is not there was never made. */
export function faultOfCancellation({ digest, announced, by }: ReceiptPredicate<'recovery_cancelled'>, index: number, evidence: EventEvidence): string | undefined {
  const announcement = ofKind(evidence.entries, 'recovery_announced').find((one) => one.index < index && one.predicate.receipt === announced);
  if (announcement?.predicate.digest !== digest) return 'A recovery was cancelled that had not been announced.';
  const owner = by.kind === 'person' && ownersAt(evidence, index)?.owners.some(({ person }) => person === by.id);
  return owner === true ? undefined : 'A recovery was cancelled by somebody who is no owner.';
}
