import type { RecoveryNotice } from '@/lib/authority/verify-trust-root';
import type { Digest } from '@/lib/shared/ids';

import { ofKind, type Entry } from './parse-entries';

/** Where a recovered root was announced and where it came into force; undefined unless both are in the log in that order. */
function placesOf(entries: readonly Entry[], digest: Digest) {
  const changed = ofKind(entries, 'trust_root_changed').find(({ predicate }) => predicate.digest === digest);
  const announced = ofKind(entries, 'recovery_announced').find(({ predicate }) => predicate.digest === digest);
  return changed && announced && announced.index < changed.index ? { announced, changed } : undefined;
}

/** The notice of a recovery, by the times of the log: from its first announcement to the receipt that brings it into force. None when an owner cancelled it before that. */
export const noticeInLog = (entries: readonly Entry[]): RecoveryNotice => (digest) => {
  const places = placesOf(entries, digest);
  if (!places || ofKind(entries, 'recovery_cancelled').some(({ index, predicate }) => predicate.digest === digest && index < places.changed.index)) return undefined;
  return (Date.parse(places.changed.predicate.at) - Date.parse(places.announced.predicate.at)) / 1000;
};

/** Whether every receipt of the time of notice is at hand: only then is it shown that no owner cancelled. */
export function showsNotice(entries: readonly Entry[], digest: Digest): boolean {
  const places = placesOf(entries, digest);
  if (!places) return false;
  const between = new Set(entries.map(({ index }) => index).filter((index) => index >= places.announced.index && index <= places.changed.index));
  return between.size === places.changed.index - places.announced.index + 1;
}
