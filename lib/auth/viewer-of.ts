import { permissions, mayAs, type Permission, type Role } from '@/lib/authority/roles';
import { personById } from '@/lib/authority/roster-lookup';
import type { Viewer } from '@/lib/contracts/console/viewer';
import type { PersonRow } from '@/lib/ports/people-store';
import type { InForce } from '@/lib/services/in-force';

/**
 * A person with what the signed roster in force gives them. Without a roster, or not in it, they are somebody who may do
 * nothing; suspended in it or by the log, nobody at all. Whom the trust root lists as an owner opens an owner's pages, although the roster
 * has yet to say so: after a recovery it is signed there.
 */
export function viewerOf(person: PersonRow, { roster, root, suspended }: Pick<InForce, 'roster' | 'root' | 'suspended'>): Viewer | undefined {
  if (suspended?.has(person.id)) return undefined;
  const listed = roster ? personById(roster.roster, person.id) : undefined;
  if (listed?.suspended === true) return undefined;
  const roles = listed?.roles ?? [];
  const held: readonly Role[] = listed && root?.root.owners.some((owner) => owner.person === person.id) ? [...roles, 'owner'] : roles;
  return {
    person: person.id,
    email: listed?.email ?? person.email,
    name: listed?.name ?? person.name,
    roles,
    groups: listed?.groups ?? [],
    keys: (listed?.keys ?? []).map(({ id, kind }) => ({ id, kind })),
    permissions: permissions.filter((permission) => mayAs(held, permission)),
  };
}

/** True when the viewer has the permission, or one of several. */
export const can = (viewer: Viewer, permission: Permission | readonly Permission[]): boolean =>
  (typeof permission === 'string' ? [permission] : permission).some((one) => viewer.permissions.includes(one));
