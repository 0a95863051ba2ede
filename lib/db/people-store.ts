import type pg from 'pg';

import type { EnrolmentRow, PeopleStore, PersonRow } from '@/lib/ports/people-store';
import type { Tx } from '@/lib/ports/transaction';
import type { KeyId, PersonId } from '@/lib/shared/ids';

import { oneOf, orNull, text, time, type Row } from './columns';
import { insertRows } from './insert-rows';
import { keyLabels } from './key-labels';
import { readingIn, transactionOf } from './open-transaction';
import { prismaOf } from './prisma';
import { setUpLinks } from './set-up-links';
import { columnList, insertStatement, rows, statement, touched, type Columns } from './statements';

const personColumns = {
  id: 'text', email: 'text', name: 'text', password_hash: 'text', suspended_at: 'timestamptz', signed_out_at: 'timestamptz',
} as const satisfies Columns;
// A column that is not given would be null, not its default: the time of making is the database's.
const insertPerson = insertStatement('people', { ...personColumns, created_at: 'timestamptz' });
const select = `SELECT ${columnList(personColumns)} FROM "people" WHERE "workspace_id" = $1`;
const findByEmail = statement('find_person_by_email', `${select} AND "email" = $2`);
const findById = statement('find_person', `${select} AND "id" = $2`);
const setPassword = statement('set_password', `UPDATE "people" SET "password_hash" = $3 WHERE "workspace_id" = $1 AND "id" = $2`);
const suspendPerson = statement('suspend_person', `UPDATE "people" SET "suspended_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2`);
const signOut = statement('sign_out_person', `UPDATE "people" SET "signed_out_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2`);

const enrolmentColumns = {
  id: 'text', person_id: 'text', key_id: 'text', envelope: 'text', state: 'text', created_at: 'timestamptz',
} as const satisfies Columns;
const insertEnrolment = insertStatement('key_enrolments', enrolmentColumns);
const enrolmentsInState = statement(
  'enrolments_in_state',
  `SELECT ${columnList(enrolmentColumns)} FROM "key_enrolments" WHERE "workspace_id" = $1 AND "state" = $2 ORDER BY "created_at", "id"`,
);
const resolveEnrolment = statement(
  'resolve_enrolment',
  `UPDATE "key_enrolments" SET "state" = $3 WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = 'waiting'`,
);

export function postgresPeopleStore(pool: pg.Pool, workspace: string): PeopleStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);
  return {
    add: async (tx, person) => {
      const { client, head } = transactionOf(tx);
      await insertRows(client, insertPerson, workspace, [{ ...person, created_at: head.now }]);
    },
    byEmail: async (email, tx) => (await rows(on(tx), findByEmail, [workspace, email])).map(readPersonRow)[0],
    byId: async (id, tx) => (await rows(on(tx), findById, [workspace, id])).map(readPersonRow)[0],
    list: async () => {
      const prisma = await prismaOf(pool);
      const people = await prisma.person.findMany({ where: { workspaceId: workspace }, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
      return people.map(({ id, email, name, passwordHash, suspendedAt, signedOutAt }) =>
        readPersonRow({ id, email, name, password_hash: passwordHash, suspended_at: suspendedAt, signed_out_at: signedOutAt }),
      );
    },
    setPassword: async (tx, id, hash) => {
      await mustTouch(transactionOf(tx).client, setPassword, [workspace, id, hash]);
    },
    suspend: async (tx, id, at) => (await touched(transactionOf(tx).client, suspendPerson, [workspace, id, at])) === 1,
    signOutEverywhere: async (tx, id, at) => {
      await mustTouch(transactionOf(tx).client, signOut, [workspace, id, at]);
    },
    addEnrolment: async (tx, { person, key, ...same }) => {
      await insertRows(transactionOf(tx).client, insertEnrolment, workspace, [{ ...same, person_id: person, key_id: key }]);
    },
    enrolments: async (state, tx) => (await rows(on(tx), enrolmentsInState, [workspace, state])).map(readEnrolmentRow),
    resolveEnrolment: async (tx, id, state) => (await touched(transactionOf(tx).client, resolveEnrolment, [workspace, id, state])) === 1,
    ...keyLabels(pool, workspace),
    ...setUpLinks(pool, workspace),
  };
}

/** For changes whose person the caller has just read under the lock: missing it is a programmer's error. */
async function mustTouch(...call: Parameters<typeof touched>): Promise<void> {
  if ((await touched(...call)) !== 1) throw new Error('The person to change does not exist.');
}

const readPersonRow = (row: Row): PersonRow => ({
  id: text(row['id']) as PersonId,
  email: text(row['email']),
  name: text(row['name']),
  password_hash: orNull(text)(row['password_hash']),
  suspended_at: orNull(time)(row['suspended_at']),
  signed_out_at: orNull(time)(row['signed_out_at']),
});

const readEnrolmentRow = (row: Row): EnrolmentRow => ({
  id: text(row['id']),
  person: text(row['person_id']) as PersonId,
  key: text(row['key_id']) as KeyId,
  envelope: text(row['envelope']),
  state: oneOf(['waiting', 'enrolled', 'refused'])(row['state']),
  created_at: time(row['created_at']),
});
