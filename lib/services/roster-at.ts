import { parseRoster } from '@/lib/authority/parse-roster';
import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { withoutKeys } from '@/lib/authority/without-keys';
import type { AuthorityStore } from '@/lib/ports/authority-store';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { keysRevokedBefore } from './keys-revoked';
import type { Proving } from './proven-place';
import { provenAt } from './proven-receipt';

/**
 * The roster that was in force at a log position: what somebody signed then is judged by it, whoever it lists now. Its receipt,
 * signed by a service, states the digest; a row that is not of that digest is not it. Keys that were revoked before are gone from it.
 * `ledger_broken` when there is none.
 */
export async function rosterAt(
  { reader, authority, cryptography }: { readonly reader: LedgerReader; readonly authority: Pick<AuthorityStore, 'rosters'>; readonly cryptography: Proving },
  root: TrustRoot,
  index: bigint,
): Promise<Result<Roster>> {
  const [receipt] = (await reader.search({ kind: 'roster_changed' }, { before: index, limit: 1 })).rows;
  const body = receipt && (await provenAt(receipt, root, cryptography));
  if (body && !body.ok) return body;
  const stated = body?.value.kind === 'roster_changed' ? body.value.predicate : undefined;
  for (const row of stated ? await authority.rosters() : []) {
    const envelope = row.version === stated?.version ? parseEnvelope(row.envelope) : undefined;
    const payload = envelope?.ok ? envelopePayload(envelope.value) : undefined;
    if (!payload || digestOf(cryptography.sha256, payload) !== stated?.digest) continue;
    const roster = parseRoster(payload);
    return roster.ok ? ok(withoutKeys(roster.value, await keysRevokedBefore(reader, index, cryptography))) : roster;
  }
  return fail('ledger_broken', `No roster was in force at ${String(index)}.`, { fix: 'Run "countersign fsck".' });
}
