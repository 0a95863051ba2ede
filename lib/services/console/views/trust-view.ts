import { trustRootChange, type PendingTrustChange, type TrustView } from '@/lib/contracts/console/trust';
import { isTimestamp } from '@/lib/shared/timestamp';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { shownChange } from '../prepare-trust-change';
import { trustBase, type TrustBase } from '../trust-base';
import { trustDocuments } from '../trust-documents';
import { keptEnvelopes } from '../trust-signatures';
import { ownersShown, pendingRecoveries, recoveryKeyHistory } from './recoveries-view';

/** The trust root in force as its owners signed it, what this process has pinned, and the changes that wait for signatures. */
export async function trustView(parts: ConsoleParts): Promise<Result<TrustView>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const { root, digest, fingerprint, roster } = base.value;
  const people = roster.roster.people;
  const [pin, { size }, pending, recoveries] = await Promise.all([parts.pins.read(), parts.log.head(), pendingChanges(parts, base.value), pendingRecoveries(parts, base.value)]);
  return ok({
    fingerprint,
    digest,
    version: root.version,
    created_at: root.created_at,
    roster_version: roster.roster.version,
    owners: ownersShown(root, roster.roster),
    root,
    people: people.filter(({ keys, suspended }) => keys.length > 0 && suspended !== true).map(({ id, name, keys }) => ({ person: id, name, keys })),
    log_size: Number(size),
    pin: pin.ok && pin.value
      ? { state: 'pinned', root_version: pin.value.root_version, roster_version: pin.value.roster_version, log_size: pin.value.log?.size ?? null }
      : { state: 'none', detail: pin.ok ? 'This console has pinned nothing yet.' : pin.error.detail },
    pending,
    recoveries,
    ...recoveryKeyHistory(base.value, parts),
  });
}

/** Rows are only believed to say which change is meant; what it makes, and who has signed it, is worked out here. */
async function pendingChanges(parts: ConsoleParts, base: TrustBase): Promise<readonly PendingTrustChange[]> {
  const shown: PendingTrustChange[] = [];
  for (const row of await parts.ceremonies.open()) {
    const change = row.kind === 'trust_root' ? trustRootChange.safeParse(jsonOf(row.change)) : undefined;
    if (!change?.success || !isTimestamp(row.started_at)) continue;
    const documents = await trustDocuments(base, change.data, row.started_at, parts.cryptography);
    if (!documents.ok || documents.value.digest !== row.digest) continue;
    const prepared = await shownChange(parts, base, change.data, row.started_at, documents.value, keptEnvelopes(row.envelopes));
    const started_by = base.roster.roster.people.find(({ id }) => id === row.started_by)?.name ?? row.started_by;
    shown.push({ ...prepared, started_by, started_at: row.started_at });
  }
  return shown;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
