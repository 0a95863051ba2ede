import { readRecovery } from '@/lib/authority/verify-trust-root';
import type { AnnounceRecoveryInput, RecoveryAnnounced } from '@/lib/contracts/console/trust';
import { parseEnvelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { receiptsOfKind } from '../every-receipt';
import { cancelsRecovery } from '../prove-notice';
import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';
import { signedNow } from './signed-now';
import { moved, stillStands, trustBase } from './trust-base';
import { trustDocuments } from './trust-documents';

/**
 * Announces that the recovery key is to replace the owners. From here a day has to pass in which every screen shows it and any owner may
 * cancel. What is announced is computed here from the owners alone, so nothing else can change with them. Failures: `signature_invalid`,
 * `trust_root_invalid`, `conflict` (announced before, or cancelled: then it has to be signed anew).
 */
export async function announceRecovery(parts: ConsoleParts, by: PersonId, { owners, at, envelope: text }: AnnounceRecoveryInput): Promise<Result<RecoveryAnnounced>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const documents = await trustDocuments(base.value, { owners }, at, parts.cryptography);
  if (!documents.ok) return documents;
  const envelope = parseEnvelope(text);
  if (!envelope.ok) return envelope;
  const signed = await readRecovery(envelope.value, base.value, parts.cryptography);
  const { digest, root } = documents.value;
  if (!signed.ok) return fail('signature_invalid', signed.error.detail, { cause: signed.error });
  if (signed.value.digest !== digest) return fail('signature_invalid', 'The recovery key signed another trust root.', { fix: 'Prepare it again and sign that.' });
  if (root.previous === null) throw new TypeError('A next trust root names the one before.');
  const previous_digest = root.previous;
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<RecoveryAnnounced>> => {
    const fresh = signedNow(at, now);
    if (!fresh.ok) return fresh;
    if (!(await stillStands(parts, base.value, tx))) return moved();
    const cancelled = await receiptsOfKind(parts.log, 'recovery_cancelled');
    const ended = cancelled.some((row) => cancelsRecovery(row, digest, parts.cryptography));
    const open = (await parts.inForce.current()).recoveries?.some((one) => one.digest === digest) === true;
    if (ended || open) return fail('conflict', ended ? 'An owner has cancelled this very recovery.' : 'This recovery is announced already.');
    const receipt = await parts.sign('recovery_announced', now, { version: root.version, digest, previous_digest, by: { kind: 'person', id: by }, envelope: envelope.value }, { person: by });
    await parts.ledger.append(tx, [receipt]);
    await raiseEpoch(parts, tx);
    return ok({ digest, version: root.version, receipt: receipt.id });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
