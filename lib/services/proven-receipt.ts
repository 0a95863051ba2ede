import { serviceKeyAt } from '@/lib/authority/service-keys';
import type { ServiceKey, ServiceRole, TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ReceiptBody } from '@/lib/ledger/receipt-predicate';
import { readStatement } from '@/lib/ledger/statement';
import type { LogRow, StoredLeaf } from '@/lib/ports/ledger-reader';
import { parseEnvelope, verifiedSigners } from '@/lib/shared/dsse';
import { fromBase64 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { Proving } from './proven-place';

type Row = Pick<LogRow, 'id' | 'index' | 'envelope'>;

/**
 * What a stored receipt states, once it is known to be signed by a service key that the trust root lists at its position:
 * whoever can write rows cannot make one. `role` asks for that service's key. Anything else is `ledger_broken`.
 *
 * INVARIANT: what a key signed counts at no other position than where the log holds it. Where the key's range has no end it may sign
 * still, so nothing hangs on the position; else the place is proved in the tree, or a key that was lost could write over an index within.
 */
export async function provenReceipt(row: Row, root: TrustRoot, proving: Proving, role?: ServiceRole): Promise<Result<ReceiptBody>> {
  const signed = await signedBy(row, root, proving, role);
  if (!signed.ok) return signed;
  if (signed.value.body.predicate.receipt !== row.id) return broken(row, 'belongs elsewhere');
  return signed.value.service.to === undefined || (await proving.isAt(row)) ? ok(signed.value.body) : notThere(row);
}

/** The same, of a receipt that is relied on for where it stands. */
export async function provenAt(row: Row, root: TrustRoot, proving: Proving): Promise<Result<ReceiptBody>> {
  const body = await provenReceipt(row, root, { ...proving, isAt: () => Promise.resolve(true) });
  return !body.ok || (await proving.isAt(row)) ? body : notThere(row);
}

/** The same, of a leaf whose place was proved already. */
export async function provenInPlace(leaf: StoredLeaf, root: TrustRoot, cryptography: Cryptography): Promise<Result<ReceiptBody>> {
  const signed = await signedBy(leaf, root, cryptography);
  return signed.ok ? ok(signed.value.body) : signed;
}

async function signedBy(row: StoredLeaf, root: TrustRoot, cryptography: Cryptography, role?: ServiceRole): Promise<Result<{ readonly body: ReceiptBody; readonly service: ServiceKey }>> {
  const envelope = parseEnvelope(row.envelope);
  const body = envelope.ok ? readStatement(cryptography.sha256, envelope.value) : envelope;
  if (!envelope.ok || !body.ok) return broken(row, 'cannot be read');
  if (body.value.predicate.workspace !== root.workspace) return broken(row, 'belongs elsewhere');
  const signature = envelope.value.signatures[0];
  const service = signature && serviceKeyAt(root, signature.keyid, Number(row.index));
  const key = service && fromBase64(service.key.public_key);
  if (!service || !key || (role !== undefined && service.role !== role)) return broken(row, 'is not signed by a service of this workspace');
  const signers = await verifiedSigners(envelope.value, new Map([[service.key.id, key]]), cryptography.verify);
  return signers.has(service.key.id) ? ok({ body: body.value, service }) : broken(row, 'has a signature that does not verify');
}

const notThere = (row: StoredLeaf) => broken(row, 'is not what the log holds at its position');

const broken = (row: StoredLeaf & Partial<Row>, how: string): ReturnType<typeof fail> =>
  fail('ledger_broken', `Receipt ${row.id ?? String(row.index)} ${how}.`, { fix: 'Run "countersign fsck".' });
