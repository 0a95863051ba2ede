import type { PersonId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import type { ConsoleParts } from './console-parts';
import { raiseEpoch } from './raise-epoch';

/** Ends a person's sessions and votes at once, whatever the roster says. Nobody suspends themselves, so that somebody is left. */
export async function suspendPerson(parts: ConsoleParts, by: PersonId, person: PersonId): Promise<Result<{ readonly person: PersonId }>> {
  if (by === person) return fail('forbidden', 'You cannot suspend yourself.');
  const done = await parts.transactor.withHead(async (tx, { now }): Promise<Result<{ readonly person: PersonId }>> => {
    if (!(await parts.people.suspend(tx, person, now))) return fail('not_found', 'There is no such person.');
    await parts.people.signOutEverywhere(tx, person, now);
    const receipt = await parts.sign('user_administered', now, { person, change: 'suspended', by: { kind: 'person', id: by } }, { person });
    await parts.ledger.append(tx, [receipt]);
    await parts.events.publish(tx, [{ kind: 'sessions_ended', id: person }]);
    await raiseEpoch(parts, tx);
    return ok({ person });
  });
  if (done.ok) await parts.inForce.refresh();
  return done;
}
