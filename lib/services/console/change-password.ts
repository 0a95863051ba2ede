import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/** A new password, and all other sessions end. Failures: `forbidden` (the current one is wrong). */
export async function changePassword(
  parts: ConsoleParts,
  person: PersonId,
  input: { readonly current: string; readonly next: string },
): Promise<Result<{ readonly person: PersonId }>> {
  const row = await parts.people.byId(person);
  if (!(await parts.passwords.verify(input.current, row?.password_hash ?? null))) return fail('forbidden', 'The current password is not right.');
  const hash = await parts.passwords.hash(input.next);
  return await parts.transactor.withHead(async (tx, { now }) => {
    await parts.people.setPassword(tx, person, hash);
    await parts.people.signOutEverywhere(tx, person, now);
    const receipt = await parts.sign('user_administered', now, { person, change: 'password_changed', by: { kind: 'person', id: person } }, { person });
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'sessions_ended', id: person }]);
    return ok({ person });
  });
}
