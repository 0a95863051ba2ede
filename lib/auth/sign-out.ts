import { isId } from '@/lib/shared/ids';

import type { AuthParts } from './auth-parts';

/**
 * Signing out ends every session of the person: a cookie that somebody copied before must not outlive the click. A token
 * that names nobody ends nothing.
 */
export async function signOut(parts: Pick<AuthParts, 'people' | 'transactor' | 'events'>, claims: { readonly person?: unknown }): Promise<void> {
  const { person } = claims;
  if (typeof person !== 'string' || !isId('person', person)) return;
  await parts.transactor.withHead(async (tx, { now }) => {
    if (!(await parts.people.byId(person, tx))) return;
    await parts.people.signOutEverywhere(tx, person, now);
    await parts.events.publish(tx, [{ kind: 'sessions_ended', id: person }]);
  });
}
