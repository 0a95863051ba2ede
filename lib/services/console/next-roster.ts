import type { Roster, RosterPerson } from '@/lib/authority/roster';
import type { VerifiedRoster } from '@/lib/authority/roster';
import { personById } from '@/lib/authority/roster-lookup';
import type { RosterChange } from '@/lib/contracts/console/roster';
import type { EnrolmentRow, PersonRow } from '@/lib/ports/people-store';
import { assertNever } from '@/lib/shared/assert-never';
import { keyId, type PersonId } from '@/lib/shared/ids';
import type { PublicKeyEntry } from '@/lib/shared/keys';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

/** Rows and documents that a change refers to, looked up before. */
export type ChangeFacts = {
  readonly enrolment: { readonly row: EnrolmentRow; readonly key: PublicKeyEntry } | undefined;
  readonly person: PersonRow | undefined;
};

/**
 * The one roster that a change makes of the one in force. Pure, so that what an owner is asked to sign and what the
 * signature is compared with are the same bytes. Failures: `not_found`, `conflict`.
 */
export function nextRoster(
  current: VerifiedRoster,
  rootVersion: number,
  change: RosterChange,
  facts: ChangeFacts,
  at: Timestamp,
): Result<Roster> {
  const { roster, digest } = current;
  const changed = changedParts(roster, change, facts);
  if (!changed.ok) return changed;
  return ok({ ...roster, ...changed.value, version: roster.version + 1, previous: digest, root_version: rootVersion, created_at: at });
}

type Changed = Partial<Pick<Roster, 'people' | 'credentials'>>;

function changedParts(roster: Roster, change: RosterChange, facts: ChangeFacts): Result<Changed> {
  switch (change.kind) {
    case 'enrol_key': {
      const { enrolment } = facts;
      if (!enrolment || enrolment.row.state !== 'waiting') return fail('not_found', 'No such key is waiting.');
      const { key } = enrolment;
      if (roster.people.some(({ keys }) => keys.some(({ id }) => id === key.id))) return fail('conflict', 'The key is in the roster already.');
      return withPerson(roster, enrolment.row.person, (person) => ({ ...person, keys: [...person.keys, key] }));
    }
    case 'add_person': {
      const row = facts.person;
      if (!row || row.suspended_at !== null) return fail('not_found', 'Nobody was invited under this id.');
      if (personById(roster, row.id)) return fail('conflict', 'The roster lists this person already.');
      const person: RosterPerson = { id: row.id, email: row.email, name: row.name, roles: change.roles, groups: change.groups, keys: [] };
      return ok({ people: [...roster.people, person] });
    }
    case 'set_person':
      return withPerson(roster, change.person, (person) => ({ ...person, roles: change.roles, groups: change.groups }));
    case 'remove_person':
      if (!personById(roster, change.person)) return fail('not_found', 'The roster lists no such person.');
      return ok({ people: roster.people.filter(({ id }) => id !== change.person) });
    case 'restore_person':
      return withPerson(roster, change.person, ({ suspended: _, ...person }) => person);
    case 'remove_key': {
      const removed = keyId(change.key);
      if (!personById(roster, change.person)?.keys.some(({ id }) => id === removed)) return fail('not_found', 'The person has no such key.');
      return withPerson(roster, change.person, (person) => ({ ...person, keys: person.keys.filter(({ id }) => id !== removed) }));
    }
    case 'add_credential': {
      const { credential: id, credential_kind: kind, token_digest, scope, expires_at } = change;
      const { humans, agents, attributes } = scope;
      const listed = { ...(humans && { humans }), ...(agents && { agents }), ...(attributes && { attributes }) };
      if (roster.credentials.some((other) => other.id === id)) return fail('conflict', 'The roster lists this credential already.');
      return ok({ credentials: [...roster.credentials, { id, kind, token_digest, scope: listed, expires_at }] });
    }
    case 'remove_credential': {
      const credentials = roster.credentials.filter(({ id }) => id !== change.credential);
      return credentials.length < roster.credentials.length ? ok({ credentials }) : fail('not_found', 'The roster lists no such credential.');
    }
    default:
      return assertNever(change);
  }
}

function withPerson(roster: Roster, id: PersonId, change: (person: RosterPerson) => RosterPerson): Result<Changed> {
  if (!personById(roster, id)) return fail('not_found', 'The roster lists no such person.');
  return ok({ people: roster.people.map((person) => (person.id === id ? change(person) : person)) });
}
