import type { PeopleStore, PersonRow } from '@/lib/ports/people-store';
import { isId } from '@/lib/shared/ids';

/** A session ends this long after signing in, however active it is. */
export const sessionHours = 12;

/**
 * The person of a session, read anew each time: a cookie cannot be taken back, so suspending and signing out everywhere
 * work only if every request asks. Undefined: the session no longer counts.
 */
export async function livePerson(
  people: Pick<PeopleStore, 'byId'>,
  claims: { readonly person?: unknown; readonly signed_in_at?: unknown },
  now: string,
): Promise<PersonRow | undefined> {
  const { person, signed_in_at } = claims;
  if (typeof person !== 'string' || !isId('person', person) || typeof signed_in_at !== 'string') return undefined;
  const ageMs = Date.parse(now) - Date.parse(signed_in_at);
  if (!(ageMs < sessionHours * 3600_000)) return undefined;
  const row = await people.byId(person);
  if (!row || row.suspended_at !== null) return undefined;
  return row.signed_out_at === null || row.signed_out_at < signed_in_at ? row : undefined;
}
