import { personById } from '@/lib/authority/roster-lookup';
import type { RenameKeyInput } from '@/lib/contracts/console/keys';
import type { Viewer } from '@/lib/contracts/console/viewer';
import { keyId, type KeyId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/** Gives a key of one's own another name, which nobody else sees and nothing rests on. `not_found` when it is not one's own. */
export async function renameKey(parts: ConsoleParts, viewer: Viewer, { key: named, label }: RenameKeyInput): Promise<Result<{ readonly key: KeyId; readonly label: string }>> {
  const key = keyId(named);
  const { root, roster } = await parts.inForce.current();
  const listed = roster && personById(roster.roster, viewer.person)?.keys.some(({ id }) => id === key);
  const owned = root?.root.owners.some((owner) => owner.person === viewer.person && owner.key.id === key);
  return parts.transactor.withHead(async (tx) => {
    const waits = (await parts.people.enrolments('waiting', tx)).some((row) => row.key === key && row.person === viewer.person);
    if (listed !== true && owned !== true && !waits) return fail('not_found', 'You have no such key.');
    await parts.people.labelKey(tx, viewer.person, key, label);
    return ok({ key, label });
  });
}
