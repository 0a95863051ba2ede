import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import type { CompleteRecoveryInput, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import { readStatement } from '@/lib/ledger/statement';
import type { SeenRecovery } from '@/lib/ports/recovery-memory';
import type { Tx } from '@/lib/ports/transaction';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { cancelsRecovery, noticeOver, proveNotCancelled } from '../prove-notice';
import type { ConsoleParts } from './console-parts';
import { takeIntoForce } from './take-trust-change';
import { moved, stillStands, trustBase, type TrustBase } from './trust-base';
import { documentNames, trustDocuments, type DocumentName, type TrustDocuments } from './trust-documents';
import { checkedEnvelopes, joined, keptEnvelopes, keptText, signedSoFar, wordOf, type Envelopes } from './trust-signatures';

export type RecoveryToComplete = { readonly base: TrustBase; readonly documents: TrustDocuments; readonly envelope: Envelope; readonly seen: SeenRecovery };

/** An announced recovery with the documents that its new owners have to sign. Everything is worked out from the announcement that was proved. */
export async function recoveryToComplete(parts: ConsoleParts, digest: string): Promise<Result<RecoveryToComplete>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const seen = (await parts.inForce.current()).recoveries?.find((one) => one.digest === digest);
  return seen ? await recoveryOn(parts, base.value, seen) : unknown();
}

export async function recoveryOn(parts: Pick<ConsoleParts, 'log' | 'cryptography'>, base: TrustBase, seen: SeenRecovery): Promise<Result<RecoveryToComplete>> {
  const row = await parts.log.byIndex(BigInt(seen.index));
  const receipt = row && parseEnvelope(row.envelope);
  const body = receipt?.ok === true ? readStatement(parts.cryptography.sha256, receipt.value) : undefined;
  if (body?.ok !== true || body.value.kind !== 'recovery_announced') return unknown();
  const { envelope } = body.value.predicate;
  const root = parseTrustRoot(envelopePayload(envelope) ?? new Uint8Array());
  if (!root.ok) return root;
  const documents = await trustDocuments(base, { owners: root.value.owners }, root.value.created_at, parts.cryptography);
  if (!documents.ok) return documents;
  return documents.value.digest === seen.digest ? ok({ base, documents: documents.value, envelope, seen }) : moved();
}

/**
 * Takes in new owners' signatures on roster and policy under an announced recovery, once a day has passed by the log and by this state
 * directory's own clock and the leaves since the announcement prove that no owner cancelled. When there are enough of them all comes into
 * force in one transaction; until then they wait. Failures: `conflict` (too early, cancelled), `signature_invalid`, `forbidden`,
 * `ledger_broken`, `not_found`.
 */
export async function completeRecovery(parts: ConsoleParts, by: PersonId, { digest, ...given }: CompleteRecoveryInput): Promise<Result<TrustChangeOutcome>> {
  const found = await recoveryToComplete(parts, digest);
  if (!found.ok) return found;
  const { base, documents, envelope, seen } = found.value;
  const over = noticeOver(seen);
  if (Date.parse(parts.clock.now()) < over.own) return early(over.own);
  const needed = documentNames.some((name) => name !== 'trust_root' && documents.needs[name]);
  const checked = needed ? await checkedEnvelopes(documents, given, parts.cryptography.verify) : ok({});
  if (!checked.ok) return checked;
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
    const kept = await collect(parts, tx, documents, checked.value, by, now);
    const { version } = documents.root;
    if (kept.lacks.length > 0) return ok({ state: 'waiting', digest, version, lacks: kept.lacks.map((name) => wordOf[name]) });
    const taken = await takeIntoForce(parts, tx, { base, documents, envelopes: { ...kept.envelopes, trust_root: envelope }, by, now, position: Number(size), recovery: true });
    if (!taken.ok) return taken;
    await parts.ceremonies.end(tx, digest, 'completed', now);
    for (const other of await parts.ceremonies.open(tx)) if (other.kind !== 'roster') await parts.ceremonies.end(tx, other.digest, 'superseded', now);
    return ok({ state: 'in_force', digest, version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}

/** Joined with what other new owners have signed; kept for the next of them while something lacks. */
async function collect(parts: ConsoleParts, tx: Tx, documents: TrustDocuments, given: Envelopes, by: PersonId, now: string): Promise<{ readonly envelopes: Envelopes; readonly lacks: readonly DocumentName[] }> {
  const { digest, root } = documents;
  const row = await parts.ceremonies.find(digest, tx);
  const envelopes = joined(documents, row ? keptEnvelopes(row.envelopes) : {}, given);
  const signed = await signedSoFar(documents, envelopes, parts.cryptography.verify);
  const lacks = documentNames.filter((name) => name !== 'trust_root' && signed[name] && !signed[name].enough);
  if (lacks.length === 0) return { envelopes, lacks };
  if (row) await parts.ceremonies.keep(tx, digest, keptText(envelopes));
  else await parts.ceremonies.add(tx, { digest, kind: 'recovery', change: canonicalJson(asJson({ owners: root.owners })), envelopes: keptText(envelopes), state: 'open', started_by: by, started_at: now });
  await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }]);
  return { envelopes, lacks };
}

const unknown = () => fail('not_found', 'No such recovery is announced.');
const early = (untilMs: number) => fail('conflict', `It can come into force at ${new Date(untilMs).toISOString()}: until then any owner may cancel it.`);
