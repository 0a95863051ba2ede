import type { RevisionReference } from '@/lib/authority/policy-revision';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { PolicyRow } from '@/lib/ports/authority-store';
import type { InForce } from '@/lib/services/in-force';
import { provenReceipt } from '@/lib/services/proven-receipt';
import { digestOf, utf8 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { AboutRevision } from './apply-signed-revision';
import type { ProposalParts } from './proposal-parts';

/** Revisions that are looked through, newest first. */
const mostRevisions = 1000;

/** A revision that is or was in force, with its exact text. */
export type EarlierRevision = RevisionReference & Pick<PolicyRow, 'text' | 'format'>;

type Parts = Pick<ProposalParts, 'authority' | 'log' | 'cryptography'> & { readonly inForce: { readonly current: () => Promise<Pick<InForce, 'root'>> } };

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

type RolledBack = { readonly restores: RevisionReference; readonly replaces: RevisionReference; readonly by: Actor; readonly reason: string | null };

/** The receipt beside a revision that brings an old text back: which one, and what it takes away. */
export const rolledBackReceipt =
  ({ sign }: Pick<ProposalParts, 'sign'>, { restores, replaces, by, reason }: RolledBack): NonNullable<AboutRevision['beside']> =>
  async (_tx, at) => {
    const revision = replaces.revision + 1;
    const { digest } = restores;
    return [
      await sign('policy_rolled_back', at, { revision, digest, restores: { revision: restores.revision, digest }, replaces, by, ...(reason === null ? {} : { reason }) }, { revision, ...(by.kind === 'person' ? { person: by.id } : {}) }),
    ];
  };

/** The newest revision before the base that had this very text; undefined when the text is new, or no row of it is what the log says. */
export async function earlierWith(parts: Parts, digest: Digest, base: RevisionReference | null): Promise<EarlierRevision | undefined> {
  const row = (await parts.authority.policies(mostRevisions)).find((one) => one.digest === digest && one.revision < (base?.revision ?? 0));
  const earlier = row && (await earlierText(parts, row.revision));
  return earlier?.ok === true && earlier.value.digest === digest ? earlier.value : undefined;
}
