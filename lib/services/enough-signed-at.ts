import { signersThatCount } from '@/lib/authority/signers-that-count';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { LedgerReader } from '@/lib/ports/ledger-reader';
import type { Digest, PersonId, ProposalId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { everyReceipt } from './every-receipt';
import type { Proving } from './proven-place';
import { provenInPlace, provenReceipt } from './proven-receipt';

type Signed = { readonly digest: Digest; readonly base_digest: Digest | null; readonly proposal: ProposalId | undefined; readonly signers: readonly PersonId[]; readonly notCounted: readonly PersonId[]; readonly needed: number };

/**
 * The log time of the signature with which a revision had enough, from receipts that a service of this workspace signed: each owner's own
 * on the proposal that it was (`policy_signed`), else the one that brought the revision into force. Null: the log knows of neither, so its cool-off never ends.
 */
export async function enoughSignedAt(log: Pick<LedgerReader, 'search'>, root: TrustRoot, revision: Signed & { readonly revision: number }, cryptography: Proving): Promise<string | null> {
  const at = await signedAt(log, root, revision, cryptography);
  if (at !== null) return at;
  let first: string | null = null;
  for await (const row of everyReceipt(log, { kind: 'policy_applied', revision: revision.revision })) {
    const body = await provenReceipt(row, root, cryptography);
    if (body.ok && body.value.kind === 'policy_applied' && body.value.predicate.revision === revision.revision && body.value.predicate.digest === revision.digest) first = body.value.predicate.at;
  }
  return first;
}

/** Revisions that came into force, by receipts that a service of this workspace signed, newest first. */
export async function* appliedRevisions(log: Pick<LedgerReader, 'search'>, root: TrustRoot, cryptography: Proving) {
  for await (const row of everyReceipt(log, { kind: 'policy_applied' })) {
    const body = await provenInPlace(row, root, cryptography);
    if (body.ok && body.value.kind === 'policy_applied' && (await cryptography.isAt(row))) yield { index: Number(row.index), ...body.value.predicate };
  }
}

/** The log time of the signature with which a proposal had enough, as each owner's receipt tells it; null: not enough receipts do. */
export async function signedAt(log: Pick<LedgerReader, 'search'>, root: TrustRoot, signed: Signed, cryptography: Proving): Promise<string | null> {
  if (signed.proposal === undefined) return null;
  const times = new Map<PersonId, string>();
  for await (const row of everyReceipt(log, { kind: 'policy_signed' })) {
    const body = await provenReceipt(row, root, cryptography);
    if (!body.ok || body.value.kind !== 'policy_signed') continue;
    const { proposal, digest, base_digest, person, at } = body.value.predicate;
    // The same text may replace the same base again, years later: what was signed then was another proposal.
    if (proposal === signed.proposal && digest === signed.digest && base_digest === signed.base_digest && signed.signers.includes(person)) times.set(person, at);
    if (times.size === signed.signers.length) break;
  }
  // By the times that receipts state, which never go back: their rows may stand in another order.
  const people: PersonId[] = [];
  for (const [person, at] of [...times].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    people.push(person);
    if (signersThatCount(people, signed.needed, signed.notCounted).length >= signed.needed) return at;
  }
  return null;
}

/**
 * The log position at which a revision was applied, by a receipt that a service of this workspace signed; null: the log knows of none.
 * `ledger_broken`: a row holds one that is not in the log there, and no other does.
 */
export async function appliedIn(log: Pick<LedgerReader, 'search'>, root: TrustRoot, { revision, digest }: { readonly revision: number; readonly digest: Digest }, cryptography: Proving): Promise<Result<number | null>> {
  let misplaced: Result<null> = ok(null);
  for await (const row of everyReceipt(log, { kind: 'policy_applied' })) {
    const body = await provenInPlace(row, root, cryptography);
    if (!body.ok || body.value.kind !== 'policy_applied' || body.value.predicate.revision !== revision || body.value.predicate.digest !== digest) continue;
    if (await cryptography.isAt(row)) return ok(Number(row.index));
    misplaced = fail('ledger_broken', `The receipt that brought revision ${String(revision)} into force is not in the log at ${String(row.index)}.`, { fix: 'Run "countersign fsck".' });
  }
  return misplaced;
}
