import type { AppliedPolicy, PolicyFormat } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { applySignedRevision, type SignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { inForceReference } from './policy-base';

/** Revisions that are looked through, newest first. */
const mostRevisions = 1000;

/** A revision that was in force, with its exact text. */
export type EarlierRevision = { readonly revision: number; readonly digest: Digest; readonly text: string; readonly format: PolicyFormat };

type Parts = Pick<ConsoleParts, 'authority' | 'log' | 'cryptography'> & { readonly inForce: Pick<ConsoleParts['inForce'], 'current'> };

/**
 * The text of a revision that is or was in force, as the log says: its row may have been rewritten, and an owner must not be led to sign
 * another text for an old one. Failures: `not_found`, `policy_altered`, `ledger_broken`.
 */
export async function earlierText(parts: Parts, revision: number): Promise<Result<EarlierRevision>> {
  const { root } = await parts.inForce.current();
  if (!root) return fail('trust_root_invalid', 'No trust root is in force.');
  const row = (await parts.authority.policies(mostRevisions)).find((one) => one.revision === revision);
  const [applied] = (await parts.log.search({ kind: 'policy_applied', revision }, { limit: 1 })).rows;
  if (!row || !applied) return fail('not_found', `There was no revision ${String(revision)}.`, { fix: '"countersign trust show" says what is in force.' });
  const receipt = await provenReceipt(applied, root.root, parts.cryptography);
  if (!receipt.ok) return receipt;
  const digest = digestOf(parts.cryptography.sha256, utf8(row.text));
  const logged = receipt.value.kind === 'policy_applied' && receipt.value.predicate.revision === revision ? receipt.value.predicate.digest : null;
  if (logged !== digest) return fail('policy_altered', `The stored text of r${String(revision)} is not the one that was in force.`, { fix: 'Take it from a bundle or from the files in Git, and apply that.' });
  return ok({ revision, digest, text: row.text, format: row.format });
}

/** What a roll-back would bring back. Failures: those of `earlierText`, and `conflict` where that would change nothing. */
export async function earlierRevision(parts: Parts, revision: number): Promise<Result<EarlierRevision>> {
  const { policy } = await parts.inForce.current();
  if (policy?.revision === revision) return fail('conflict', `r${String(revision)} is in force.`, { fix: 'Name an earlier revision.' });
  const earlier = await earlierText(parts, revision);
  if (!earlier.ok || policy?.digest !== earlier.value.digest) return earlier;
  return fail('conflict', `r${String(revision)} has the text that is in force.`, { fix: 'Name another revision.' });
}

type RollBack = Omit<SignedRevision, 'origin'> & { readonly restores: number; readonly reason: string | null };

/**
 * A new, higher revision with an old text: signed like any other, with a receipt beside it of what it brings back and what it takes away.
 * Failures: those of `earlierRevision` and of applying.
 */
export async function rollBack(parts: ConsoleParts, by: Actor, { restores, reason, ...signed }: RollBack): Promise<Result<AppliedPolicy>> {
  const earlier = await earlierRevision(parts, restores);
  if (!earlier.ok) return earlier;
  const { digest, text, revision } = earlier.value;
  if (text !== signed.text) return fail('policy_altered', `The signed text is not that of r${String(revision)}.`);
  const replaces = inForceReference(await parts.inForce.current());
  if (!replaces) return fail('policy_unsigned', 'Nothing is in force that could be rolled back.', { fix: 'Apply the text as a file.' });
  const next = replaces.revision + 1;
  return await applySignedRevision(parts, by, { ...signed, origin: 'rollback' }, {
    beside: async (_tx, at) => [
      await parts.sign('policy_rolled_back', at, { revision: next, digest, restores: { revision, digest }, replaces, by, ...(reason === null ? {} : { reason }) }, { revision: next, ...(by.kind === 'person' ? { person: by.id } : {}) }),
    ],
  });
}
