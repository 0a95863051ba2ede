import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';

const page = 100;

/** Keys that their people had revoked below a log position. What stops something counts as it stands, like a switch. */
export async function keysRevokedBefore(reader: Pick<LedgerReader, 'search'>, index: bigint, { sha256 }: Pick<Cryptography, 'sha256'>): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (let before: bigint | undefined = index; before !== undefined; ) {
    const { rows, next }: Awaited<ReturnType<LedgerReader['search']>> = await reader.search({ kind: 'key_removed' }, { limit: page, before });
    for (const row of rows) {
      const envelope = parseEnvelope(row.envelope);
      const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
      if (body.ok && body.value.kind === 'key_removed' && body.value.predicate.cause === 'revoked') keys.add(body.value.predicate.key);
    }
    before = next ?? undefined;
  }
  return keys;
}
