import type { SignTrustChangeInput, TrustChangeOutcome } from '@/lib/contracts/console/trust';
import { asJson } from '@/lib/shared/as-json';
import { canonicalJson } from '@/lib/shared/canonical-json';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { takeIntoForce } from './take-trust-change';
import { moved, stillStands, trustBase } from './trust-base';
import { documentNames, trustDocuments } from './trust-documents';
import { checkedEnvelopes, joined, keptEnvelopes, keptText, signedSoFar, wordOf } from './trust-signatures';

/** How far the signer's or the database's clock may be ahead, milliseconds. */
const aheadMs = 5 * 60_000;
/** A change that nobody completed in this time is not taken up again, milliseconds. */
const longestMs = 30 * 86_400_000;

/**
 * Takes in owners' signatures on the documents of a change. When every document has enough of them, all come into force in one
 * transaction with their receipts; until then they wait. What counts is computed here from the change itself: a signature that was
 * collected for one change carries no other. Failures: `signature_invalid`, `forbidden`, `conflict`, `trust_root_invalid`.
 */
export async function signTrustChange(parts: ConsoleParts, by: PersonId, input: SignTrustChangeInput): Promise<Result<TrustChangeOutcome>> {
  const base = await trustBase(parts);
  if (!base.ok) return base;
  const ageMs = Date.parse(await parts.reads.now()) - Date.parse(input.at);
  if (ageMs < -aheadMs || ageMs > longestMs) return fail('conflict', 'These documents were prepared too long ago, or by a clock that is ahead.', { fix: 'Prepare the change again.' });
  const documents = await trustDocuments(base.value, input.change, input.at, parts.cryptography);
  if (!documents.ok) return documents;
  const given = await checkedEnvelopes(documents.value, input, parts.cryptography.verify);
  if (!given.ok) return given;
  const change = canonicalJson(asJson(input.change));
  const done = await parts.transactor.withHead(async (tx, { now, size }): Promise<Result<TrustChangeOutcome>> => {
    if (!(await stillStands(parts, base.value, tx))) return moved();
    const { digest } = documents.value;
    const row = await parts.ceremonies.find(digest, tx);
    if (row && row.state !== 'open') return fail('conflict', row.state === 'completed' ? 'This change is in force already.' : 'This change was withdrawn.');
    const envelopes = joined(documents.value, row ? keptEnvelopes(row.envelopes) : {}, given.value);
    const keep = async (): Promise<void> => {
      const text = keptText(envelopes);
      if (row) await parts.ceremonies.keep(tx, digest, text);
      else await parts.ceremonies.add(tx, { digest, kind: 'trust_root', change, envelopes: text, state: 'open', started_by: by, started_at: input.at });
    };
    const signed = await signedSoFar(documents.value, envelopes, parts.cryptography.verify);
    const lacks = documentNames.filter((name) => signed[name] && !signed[name].enough);
    const { version } = documents.value.root;
    if (lacks.length > 0) {
      await keep();
      // The epoch stays: nothing that decides has changed. Only other screens have something to show.
      await parts.events.publish(tx, [{ kind: 'epoch_raised', id: parts.workspace }]);
      return ok({ state: 'waiting', digest, version, lacks: lacks.map((name) => wordOf[name]) });
    }
    const taken = await takeIntoForce(parts, tx, { base: base.value, documents: documents.value, envelopes, by, now, position: Number(size) });
    if (!taken.ok) return taken;
    await keep();
    await parts.ceremonies.end(tx, digest, 'completed', now);
    // Another change that waits, or a recovery, was made of the root that has just been replaced.
    for (const other of await parts.ceremonies.open(tx)) if (other.kind !== 'roster') await parts.ceremonies.end(tx, other.digest, 'superseded', now);
    return ok({ state: 'in_force', digest, version });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
