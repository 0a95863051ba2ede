import type { Invited, InvitePersonInput } from '@/lib/contracts/console/people';
import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';

/**
 * Makes an account with a first password, shown once. It opens nothing: without a signed roster that lists the person,
 * a session has no role. Failures: `conflict` (the address is taken).
 */
export async function invitePerson(parts: ConsoleParts, by: PersonId, input: InvitePersonInput): Promise<Result<Invited>> {
  const person = parts.ids.make('person');
  const first_password = parts.ids.token('first');
  const password_hash = await parts.passwords.hash(first_password);
  return await parts.transactor.withHead(async (tx, { now }) => {
    if (await parts.people.byEmail(input.email, tx)) return fail('conflict', 'Somebody has this address already.');
    await parts.people.add(tx, { id: person, email: input.email, name: input.name, password_hash, suspended_at: null, signed_out_at: null });
    const receipt = await parts.sign('user_administered', now, { person, change: 'invited', by: { kind: 'person', id: by } }, { person });
    await parts.ledger.append(tx, [receipt]);
    return ok({ person, first_password });
  });
}
