import { normalEmail } from '@/lib/shared/email';
import type { PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';

import type { CredentialScope, Roster, RosterPerson, VouchingCredential } from './roster';

export const personById = (roster: Roster, id: PersonId): RosterPerson | undefined => roster.people.find((person) => person.id === id);

/** By e-mail in any spelling that means the same address. */
export function personByEmail(roster: Roster, email: string): RosterPerson | undefined {
  const normal = normalEmail(email);
  return roster.people.find((person) => person.email === normal);
}

/** Everybody who belongs to at least one of the groups and is not suspended. No groups: nobody. */
export const membersOf = (roster: Roster, groups: readonly string[]): readonly RosterPerson[] =>
  roster.people.filter((person) => person.suspended !== true && person.groups.some((group) => groups.includes(group)));

export function keyOwner(roster: Roster, keyId: string): { readonly person: RosterPerson; readonly key: PublicKeyEntry } | undefined {
  for (const person of roster.people) {
    const key = person.keys.find(({ id }) => id === keyId);
    if (key) return { person, key };
  }
  return undefined;
}

/** The credential with this token digest. Its expiry is judged by whoever has the database's clock. */
export const credentialByTokenDigest = (roster: Roster, tokenDigest: string): VouchingCredential | undefined =>
  roster.credentials.find((credential) => credential.token_digest === tokenDigest);

/** True when the credential is listed for this human (any spelling), agent or attribute. Left out means none, `*` all. */
export function isListedFor(scope: CredentialScope, list: keyof CredentialScope, name: string): boolean {
  const names = scope[list];
  if (names === undefined) return false;
  if (names.length === 1 && names[0] === '*') return true;
  return list === 'humans' ? names.some((listed) => normalEmail(listed) === normalEmail(name)) : names.includes(name);
}
