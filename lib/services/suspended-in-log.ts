import type { Roster } from '@/lib/authority/roster';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader, LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import type { Timestamp } from '@/lib/shared/timestamp';

import { provenReceipt } from './proven-receipt';
import { unreadReceipts } from './unread-receipts';

/**
 * Whom the log says is suspended. A suspension counts as it stands, because it only tightens. It ends with a receipt that a service
 * signed later and that names a roster which owners signed: a row that is set back, or an older receipt that is written again
 * behind it, restores nobody. Each call reads only what came since the last. Later is by the time in the signed receipt, which
 * never goes back, and not by the position in a row.
 */
export function suspendedInLog(log: Pick<LedgerReader, 'search'>, cryptography: Cryptography): (root: TrustRoot | null, roster: Roster | null, size: bigint) => Promise<ReadonlySet<PersonId>> {
  const suspended = new Map<PersonId, Timestamp>();
  const restored = new Map<PersonId, { readonly at: Timestamp; readonly version: number }>();
  let seen = -1n;

  async function take(row: LogRow, root: TrustRoot): Promise<void> {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
    if (!body.ok || body.value.kind !== 'user_administered') return;
    const { person, change, at, roster_version: version } = body.value.predicate;
    if (change === 'suspended' && at > (suspended.get(person) ?? '')) suspended.set(person, at);
    if (change !== 'restored' || version === undefined || at <= (restored.get(person)?.at ?? '')) return;
    if ((await provenReceipt(row, root, cryptography)).ok) restored.set(person, { at, version });
  }

  return async (root, roster, size) => {
    if (!root || !roster) return new Set();
    for (const row of await unreadReceipts(log, 'user_administered', seen, size)) {
      await take(row, root);
      seen = row.index;
    }
    const counts = (person: PersonId, at: Timestamp): boolean => {
      const back = restored.get(person);
      return !back || back.at <= at || back.version > roster.version;
    };
    return new Set([...suspended].filter(([person, at]) => counts(person, at)).map(([person]) => person));
  };
}
