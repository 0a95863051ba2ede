import type { PeopleStore } from '@/lib/ports/people-store';
import type { Tx } from '@/lib/ports/transaction';
import type { PersonId } from '@/lib/shared/ids';

/** Those of the people whom an admin or owner suspended, or who have no row at all. */
export async function suspendedPeople(people: Pick<PeopleStore, 'byId'>, ids: readonly PersonId[], tx?: Tx): Promise<ReadonlySet<PersonId>> {
  const suspended = new Set<PersonId>();
  for (const id of new Set(ids)) {
    const row = await people.byId(id, tx);
    if (!row || row.suspended_at !== null) suspended.add(id);
  }
  return suspended;
}
