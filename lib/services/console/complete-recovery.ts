import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { SignTrustChangeInput, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import { readStatement } from '@/lib/ledger/statement';
import type { SeenRecovery } from '@/lib/ports/recovery-memory';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { cancelsRecovery, noticeOver, proveNotCancelled } from '../prove-notice';
import type { ConsoleParts } from './console-parts';
import { takeIntoForce } from './take-trust-change';
import { moved, stillStands, trustBase, type TrustBase } from './trust-base';
import { documentNames, trustDocuments, type TrustDocuments } from './trust-documents';
import { checkedEnvelopes, joined, signedSoFar, wordOf } from './trust-signatures';

export type RecoveryToComplete = { readonly base: TrustBase; readonly documents: TrustDocuments; readonly envelope: Envelope; readonly seen: SeenRecovery };

/** An announced recovery with the documents that its new owners have to sign. Everything is worked out from the announcement that was proved. */
export async function recoveryToComplete(parts: ConsoleParts, digest: string): Promise<Result<RecoveryToComplete>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const seen = (await parts.inForce.current()).recoveries?.find((one) => one.digest === digest);
  const row = seen && (await parts.log.byIndex(BigInt(seen.index)));
  const receipt = row && parseEnvelope(row.envelope);
  const body = receipt?.ok === true ? readStatement(parts.cryptography.sha256, receipt.value) : undefined;
  if (!seen || body?.ok !== true || body.value.kind !== 'recovery_announced') return fail('not_found', 'No such recovery is announced.');
  const { envelope } = body.value.predicate;
  const root = parseTrustRoot(envelopePayload(envelope) ?? new Uint8Array());
  if (!root.ok) return root;
  const documents = await trustDocuments(base.value, { owners: root.value.owners }, root.value.created_at, parts.cryptography);
  if (!documents.ok) return documents;
  return documents.value.digest === digest ? ok({ base: base.value, documents: documents.value, envelope, seen }) : moved();
}

/**
 * Brings an announced recovery into force, with roster and policy as its new owners sign them. Once a day has passed by the log and by this
 * state directory's own clock, and the leaves since the announcement prove that no owner cancelled. Failures: `conflict` (too early,
 * cancelled), `signature_invalid`, `ledger_broken`, `not_found`.
 */
export async function completeRecovery(parts: ConsoleParts, by: PersonId, digest: string, given: Pick<SignTrustChangeInput, 'roster' | 'policy' | 'policy_revision'>): Promise<Result<TrustChangeOutcome>> {
  const found = await recoveryToComplete(parts, digest);
  if (!found.ok) return found;
  const { base, documents, envelope, seen } = found.value;
  const over = noticeOver(seen);
  if (Date.parse(parts.clock.now()) < over.own) return early(over.own);
  const checked = Object.values(given).some((one) => one !== undefined) ? await checkedEnvelopes(documents, given, parts.cryptography.verify) : ok({});
  if (!checked.ok) return checked;
  const envelopes = { ...joined(documents, {}, checked.value), trust_root: envelope };
  const signed = await signedSoFar(documents, envelopes, parts.cryptography.verify);
  const lacks = documentNames.filter((name) => name !== 'trust_root' && signed[name] && !signed[name].enough);
  if (lacks.length > 0) return fail('signature_invalid', `The new owners have yet to sign ${lacks.map((name) => wordOf[name]).join(', ')}.`);
  const { root, head, denied } = await parts.inForce.refresh();
  if (!root || !head || denied !== null) return moved();
  const stands = await proveNotCancelled(parts, seen, head.size - 1, head, root.root);
  if (!stands.ok) return stands;
  const done = await parts.transactor.withHead(async (tx, { now, size }): Promise<Result<TrustChangeOutcome>> => {
    if (!(await stillStands(parts, base, tx))) return moved();
    if (Date.parse(now) < over.log) return early(over.log);
    // What came since the proof; behind the lock nothing more comes.
    const fresh = Number(size) - head.size;
    const since = await parts.log.leaves(BigInt(head.size), size, fresh);
    if (since.length !== fresh) return moved();
    if (since.some((row) => cancelsRecovery(row, seen.digest, parts.cryptography))) return fail('conflict', 'An owner has cancelled this recovery.');
    const taken = await takeIntoForce(parts, tx, { base, documents, envelopes, by, now, position: Number(size), recovery: true });
    if (!taken.ok) return taken;
    for (const other of await parts.ceremonies.open(tx)) if (other.kind === 'trust_root') await parts.ceremonies.end(tx, other.digest, 'superseded', now);
    return ok({ state: 'in_force', digest: documents.digest, version: documents.root.version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

const early = (untilMs: number) => fail('conflict', `It can come into force at ${new Date(untilMs).toISOString()}: until then any owner may cancel it.`);
