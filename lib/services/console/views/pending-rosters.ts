import { rosterDigest } from '@/lib/authority/sign-documents';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import { rosterChange, type PendingRosterChange } from '@/lib/contracts/console/roster';
import { ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from '../console-parts';
import { keptRoster } from '../kept-roster';
import { nextRoster } from '../next-roster';
import { authorityToBuildOn, changeFacts } from '../roster-change-facts';

/** Changes of the roster that wait for owners. Rows only say which change is meant; who has signed is counted from the signatures. */
export async function pendingRosters(parts: ConsoleParts): Promise<Result<{ readonly pending: readonly PendingRosterChange[] }>> {
  const authority = await authorityToBuildOn(parts);
  if (!authority.ok) return authority;
  const { root, roster } = authority.value;
  const nameOf = (id: string) => roster.roster.people.find((person) => person.id === id)?.name ?? id;
  const pending: PendingRosterChange[] = [];
  for (const row of await parts.ceremonies.open()) {
    const change = row.kind === 'roster' ? rosterChange.safeParse(jsonOf(row.change)) : undefined;
    if (!change?.success) continue;
    const next = nextRoster(roster, root.version, change.data, await changeFacts(parts, change.data), row.started_at);
    if (!next.ok || rosterDigest(next.value, parts.cryptography.sha256) !== row.digest) continue;
    const { roster: envelope } = keptRoster(row.envelopes);
    const signed = envelope && (await signedByOwners(envelope, root, 'policy', parts.cryptography.verify));
    const people = signed && !signed.invalid ? signed.people : [];
    pending.push({ digest: row.digest, change: change.data, at: row.started_at, version: next.value.version, signed: people.map(nameOf), needed: root.thresholds.loosening, started_by: nameOf(row.started_by) });
  }
  return ok({ pending });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
