import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import { applySignedRevision, type SignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import { earlierText, rolledBackReceipt, type EarlierRevision } from '@/lib/services/proposals/earlier-text';
import { fail, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { inForceReference } from './policy-base';

type Parts = Pick<ConsoleParts, 'authority' | 'log' | 'cryptography' | 'inForce'>;

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
  return await applySignedRevision(parts, by, { ...signed, origin: 'rollback' }, { beside: rolledBackReceipt(parts, { restores: { revision, digest }, replaces, by, reason }) });
}
