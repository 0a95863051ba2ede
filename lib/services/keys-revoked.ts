import type { Cryptography } from '@/lib/authority/verify-trust-root';
import { readStatement } from '@/lib/ledger/statement';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import { parseEnvelope } from '@/lib/shared/dsse';

import { everyReceipt } from './every-receipt';

/** Keys that their people had revoked below a log position. What stops something counts as it stands, like a switch. */
export async function keysRevokedBefore(reader: Pick<LedgerReader, 'search'>, index: bigint, { sha256 }: Pick<Cryptography, 'sha256'>): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const row of everyReceipt(reader, { kind: 'key_removed' }, index)) {
    const envelope = parseEnvelope(row.envelope);
    const body = envelope.ok ? readStatement(sha256, envelope.value) : envelope;
    if (body.ok && body.value.kind === 'key_removed' && body.value.predicate.cause === 'revoked') keys.add(body.value.predicate.key);
  }
  return keys;
}
