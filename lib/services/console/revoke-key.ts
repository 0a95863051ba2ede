import type { RevokeKeyInput, RevokedKey } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { keyId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/**
 * Ends a key of one's own: from this receipt on it counts for no vote, fact or lowered label, in any process and any verifier. It only
 * tightens, so the session is enough; a key that still waits is withdrawn. As an owner's key in the trust root it stays until owners sign
 * another root. Failures: `not_found`, and `conflict` when the roster changed meanwhile.
 */
export async function revokeKey(parts: ConsoleParts, viewer: Viewer, input: RevokeKeyInput): Promise<Result<RevokedKey>> {
  const key = keyId(input.key);
  const { root, roster } = await parts.inForce.refresh();
  const listed = viewer.keys.some(({ id }) => id === key) && roster?.roster.people.some(({ id, keys }) => id === viewer.person && keys.some((one) => one.id === key)) === true;
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<RevokedKey>> => {
    if (!listed) {
      const waits = (await parts.people.enrolments('waiting', tx)).some((row) => row.key === key && row.person === viewer.person);
      if (!waits) return fail('not_found', 'You have no such key, or it was revoked already.');
      await parts.people.resolveEnrolment(tx, key, 'refused');
      return ok({ key, was: 'waiting', still_owner: false });
    }
    if ((await parts.authority.rosters(tx)).at(-1)?.version !== roster?.roster.version) return fail('conflict', 'The roster has changed meanwhile.', { fix: 'Load the page and try again.' });
    const by = { kind: 'person', id: viewer.person } as const;
    await parts.ledger.append(tx, [await parts.sign('key_removed', now, { person: viewer.person, key, cause: 'revoked', by }, { person: viewer.person })]);
    await raiseEpoch(parts, tx);
    return ok({ key, was: 'enrolled', still_owner: root?.root.owners.some((owner) => owner.key.id === key) === true });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
