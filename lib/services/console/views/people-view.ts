import type { PersonView } from '@/lib/contracts/console/people';

import type { ConsoleParts } from '../console-parts';

/** Accounts and what the signed roster makes of them. */
export async function peopleView(parts: ConsoleParts): Promise<{ readonly people: readonly PersonView[] }> {
  const [{ roster }, rows] = await Promise.all([parts.inForce.current(), parts.people.list()]);
  return {
    people: rows.map(({ id, email, name, suspended_at }) => {
      const listed = roster?.roster.people.find((person) => person.id === id);
      return {
        id,
        email,
        name: listed?.name ?? name,
        roles: listed?.roles ?? [],
        groups: listed?.groups ?? [],
        keys: listed?.keys ?? [],
        in_roster: listed !== undefined,
        suspended: suspended_at !== null || listed?.suspended === true,
      };
    }),
  };
}
