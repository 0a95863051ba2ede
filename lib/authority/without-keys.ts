import type { Roster } from './roster';

/** The roster as it counts once these keys were revoked: their people keep everything else. */
export function withoutKeys(roster: Roster, revoked: ReadonlySet<string>): Roster {
  const counts = ({ id }: { readonly id: string }): boolean => !revoked.has(id);
  if (roster.people.every(({ keys }) => keys.every(counts))) return roster;
  return { ...roster, people: roster.people.map((person) => (person.keys.every(counts) ? person : { ...person, keys: person.keys.filter(counts) })) };
}
