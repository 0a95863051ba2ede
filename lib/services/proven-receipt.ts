import { serviceKeyAt } from '@/lib/authority/service-keys';
import type { ServiceRole, TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow } from '@/lib/ports/ledger-reader';
import { parseEnvelope, verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * What a stored receipt states, once it is known to be signed by a service key that the trust root lists at its position:
 * whoever can write rows cannot make one. `role` asks for that service's key. Anything else is `ledger_broken`.
 */
export async function provenReceipt(row: LogRow, root: TrustRoot, cryptography: Cryptography, role?: ServiceRole): Promise<Result<ReceiptBody>> {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
  if (!envelope.ok || !body.ok) return broken(row, 'cannot be read');
  if (body.value.predicate.workspace !== root.workspace || body.value.predicate.receipt !== row.id) return broken(row, 'belongs elsewhere');
  const signature = envelope.value.signatures[0];
  const service = signature && serviceKeyAt(root, signature.keyid, Number(row.index));
  const key = service && fromBase64(service.key.public_key);
  if (!service || !key || (role !== undefined && service.role !== role)) return broken(row, 'is not signed by a service of this workspace');
  const signers = await verifiedSigners(envelope.value, new Map([[service.key.id, key]]), cryptography.verify);
  return signers.has(service.key.id) ? ok(body.value) : broken(row, 'has a signature that does not verify');
}

const broken = (row: LogRow, how: string): ReturnType<typeof fail> =>
  fail('ledger_broken', `Receipt ${row.id} ${how}.`, { fix: 'Run "countersign fsck".' });
