import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { Roster } from '@/lib/authority/roster';
import { trustRootBytes } from '@/lib/authority/sign-documents';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { OwnerView, PendingRecovery, TrustView } from '@/lib/contracts/console/trust';
import type { SeenRecovery } from '@/lib/ports/recovery-memory';
import { envelopePayload } from '@/lib/shared/dsse';
import { digestOf, fromUtf8 } from '@/lib/shared/encoding';

import { noticeOver } from '../../prove-notice';
import { recoveryOn } from '../complete-recovery';
import type { ConsoleParts } from '../console-parts';
import { shownChange } from '../prepare-trust-change';
import type { TrustBase } from '../trust-base';
import { keptEnvelopes } from '../trust-signatures';

/** Recoveries that are announced, with the documents for their new owners to sign and who of them has. */
export async function pendingRecoveries(parts: ConsoleParts, base: TrustBase): Promise<readonly PendingRecovery[]> {
  const { recoveries = [] } = await parts.inForce.current();
  const people = base.roster.roster.people;
  const shown: PendingRecovery[] = [];
  for (const seen of recoveries) {
    const found = await recoveryOn(parts, base, seen);
    if (!found.ok) continue;
    const { documents } = found.value;
    const row = await parts.ceremonies.find(seen.digest);
    const { root } = documents;
    const prepared = await shownChange(parts, base, { owners: root.owners }, root.created_at, documents, row ? keptEnvelopes(row.envelopes) : {});
    const { digest, version, before, roster, policy, policy_revision } = prepared;
    shown.push({
      digest, version, before, roster, policy, policy_revision, text: fromUtf8(trustRootBytes(root)) ?? '',
      ...noticeShown(seen), by: people.find(({ id }) => id === seen.by)?.name ?? seen.by, owners: ownersShown(root, base.roster.roster),
    });
  }
  return shown;
}

/** Both clocks have to reach the later of their times. */
export function noticeShown(seen: SeenRecovery): { readonly announced_at: string; readonly over_at: string } {
  const { log, own } = noticeOver(seen);
  return { announced_at: seen.announced_at, over_at: new Date(Math.max(log, own)).toISOString() };
}

export const ownersShown = (root: TrustRoot, { people }: Roster): readonly OwnerView[] =>
  root.owners.map(({ person, key }) => {
    const listed = people.find(({ id }) => id === person);
    return { person, name: listed?.name ?? person, key: { id: key.id, kind: key.kind }, in_roster: listed !== undefined };
  });

/** What became of recovery keys: those that a later root replaced, and whether the one in force was used. */
export function recoveryKeyHistory({ chain, root, recovered }: TrustBase, { cryptography }: Pick<ConsoleParts, 'cryptography'>): Pick<TrustView, 'former_recovery_keys' | 'recovery_used'> {
  const former = new Map<string, number>();
  let used: number | null = null;
  for (const envelope of chain) {
    const bytes = envelopePayload(envelope) ?? new Uint8Array();
    const one = parseTrustRoot(bytes);
    if (!one.ok) continue;
    const { id } = one.value.recovery.key;
    if (id !== root.recovery.key.id) former.set(id, one.value.version);
    else if (recovered.has(digestOf(cryptography.sha256, bytes))) used = one.value.version;
  }
  return { former_recovery_keys: [...former].map(([id, until]) => ({ id, until })), recovery_used: used };
}
