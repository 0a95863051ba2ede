import type pg from 'pg';

import { erasedText } from '@/lib/ports/erasure-store';
import type { HeadMove, SessionRow, SessionStore } from '@/lib/ports/session-store';
import type { CredentialId, Digest, SessionId } from '@/lib/shared/ids';

import { int, oneOf, orNull, text, time, type Row } from './columns';
import { readEntryRow, entryColumns, entryValues } from './entry-row';
import { gathered } from './gathered';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, columnsOf, insertStatement, rows, rowsOf, statement, touched, type Columns } from './statements';
import { numberPermits, readFamilyPermits } from './family-permits';
import { layDown, readWritten } from './written-resources';
import { layDownValues, readWrittenValues } from './written-values';

const sessionColumns = {
  id: 'text', human: 'text', service: 'text', agent_id: 'text', parent_id: 'text', expected_scope: 'text', state: 'text',
  opened_at: 'timestamptz', began_at: 'timestamptz', last_at: 'timestamptz', head: 'text', seq: 'int4',
} as const satisfies Columns;

const insertSessions = insertStatement('sessions', sessionColumns);

const findSessions = statement(
  'find_sessions',
  `SELECT ${columnList(sessionColumns)} FROM "sessions" WHERE "workspace_id" = $1 AND "id" = ANY($2::text[])`,
);

const moveColumns = { session: 'text', from: 'text', to: 'text', seq: 'int4', at: 'timestamptz' } as const satisfies Columns;

const moveHeads = statement(
  'move_session_heads',
  `UPDATE "sessions" AS s SET "head" = m."to", "seq" = m."seq", "last_at" = greatest(s."last_at", m."at")
   FROM ${rowsOf(moveColumns, 2, 'm')}
   WHERE s."workspace_id" = $1 AND s."id" = m."session" AND s."head" = m."from" AND s."seq" < m."seq"`,
);

const closeSession = statement(
  'close_session',
  `UPDATE "sessions" SET "state" = 'closed', "closed_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = 'open'`,
);

const insertEntries = insertStatement('context_entries', entryColumns);

const readEntries = statement(
  'read_context_entries',
  `SELECT "seq", "hash", "body" FROM "context_entries" WHERE "workspace_id" = $1 AND "session_id" = $2 AND "seq" > $3 ORDER BY "seq"`,
);

const endedSessions = statement(
  'ended_sessions',
  `SELECT "id" FROM "sessions" WHERE "workspace_id" = $1 AND "state" = 'open' AND ("last_at" < $2 OR "began_at" < $3)
   ORDER BY "opened_at" LIMIT $4`,
);

const lookAgain = statement(
  'look_again_at_session',
  `INSERT INTO "sessions_to_look_at" ("workspace_id", "session_id", "at") VALUES ($1, $2, $3)
   ON CONFLICT ("workspace_id", "session_id") DO UPDATE SET "at" = greatest("sessions_to_look_at"."at" + interval '1 millisecond', excluded."at")`,
);
const sessionsToLookAt = statement('sessions_to_look_at', `SELECT "session_id", "at" FROM "sessions_to_look_at" WHERE "workspace_id" = $1 ORDER BY "at" LIMIT $2`);
const lookedAtSession = statement('looked_at_session', `DELETE FROM "sessions_to_look_at" WHERE "workspace_id" = $1 AND "session_id" = $2 AND "at" = $3`);

const openChildren = statement(
  'open_children',
  `SELECT "id" FROM "sessions" WHERE "workspace_id" = $1 AND "parent_id" = $2 AND "state" = 'open'`,
);

export function postgresSessionStore(pool: pg.Pool, workspace: string): SessionStore {
  const writtenOf = gathered(async (keys) => await readWritten(pool, workspace, keys), ({ key }) => key);
  return {
    insert: async (tx, session) => {
      const { agent, parent, ...same } = session;
      await insertRows(transactionOf(tx).client, insertSessions, workspace, [{ ...same, agent_id: agent, parent_id: parent }]);
    },
    find: async (ids, tx) => {
      if (ids.length === 0) return new Map();
      const found = await rows(tx ? readingIn(tx).client : pool, findSessions, [workspace, ids]);
      return new Map(found.map(readSession).map((session) => [session.id, session]));
    },
    moveHeads: async (tx, moves) => {
      if (moves.length === 0) return;
      const joined = joinMoves(moves);
      const moved = await touched(transactionOf(tx).client, moveHeads, [workspace, ...columnsOf(moveColumns, joined)]);
      if (moved !== joined.length) throw new Error(`${String(joined.length - moved)} sessions are not at the heads they should move from.`);
    },
    close: async (tx, id, at) => (await touched(transactionOf(tx).client, closeSession, [workspace, id, at])) === 1,
    addEntries: async (tx, entries) => {
      const { client } = transactionOf(tx);
      await Promise.all([
        insertRows(client, insertEntries, workspace, entries.map(entryValues)),
        layDown(client, workspace, entries),
        layDownValues(client, workspace, entries),
        numberPermits(client, workspace, entries),
      ]);
    },
    written: async (keys, tx) => await (tx ? readWritten(readingIn(tx).client, workspace, keys) : writtenOf(keys)),
    writtenValues: async (keys, tx) => await readWrittenValues(tx ? transactionOf(tx).client : pool, workspace, keys),
    familyPermits: async (root, after, tx) => await readFamilyPermits(tx ? readingIn(tx).client : pool, workspace, root, after),
    openChildren: async (parent, tx) => {
      const found = await rows(tx ? readingIn(tx).client : pool, openChildren, [workspace, parent]);
      return found.map((row) => text(row['id']) as SessionId);
    },
    entries: async (id, after, tx) => {
      const found = await rows(tx ? readingIn(tx).client : pool, readEntries, [workspace, id, after]);
      // An erased step has no text to give: what is left is no chain, so nothing is ever decided by it again.
      return found.filter((row) => row['body'] !== erasedText).map(readEntryRow);
    },
    lookAgain: async (tx, id, at) => {
      await touched(transactionOf(tx).client, lookAgain, [workspace, id, at]);
    },
    toLookAt: async (limit) => (await rows(pool, sessionsToLookAt, [workspace, limit])).map((row) => ({ session: text(row['session_id']) as SessionId, at: time(row['at']) })),
    lookedAt: async (id, at) => {
      await touched(pool, lookedAtSession, [workspace, id, at]);
    },
    ended: async (idleBefore, openedBefore, limit) => {
      const found = await rows(pool, endedSessions, [workspace, idleBefore, openedBefore, limit]);
      return found.map((row) => text(row['id']) as SessionId);
    },
  };
}

/** Several moves of one session become one from the first's start to the last's end: a statement changes a row only once. */
function joinMoves(moves: readonly HeadMove[]): readonly HeadMove[] {
  const joined = new Map<SessionId, HeadMove>();
  for (const move of moves) {
    const before = joined.get(move.session);
    if (before && before.to !== move.from) throw new Error(`The moves of session ${move.session} do not follow each other.`);
    joined.set(move.session, before ? { ...move, from: before.from } : move);
  }
  return [...joined.values()];
}

const readSession = (row: Row): SessionRow => ({
  id: text(row['id']) as SessionId,
  human: text(row['human']),
  service: text(row['service']) as CredentialId,
  agent: text(row['agent_id']),
  parent: orNull(text)(row['parent_id']) as SessionId | null,
  expected_scope: orNull(text)(row['expected_scope']),
  state: oneOf(['open', 'closed'])(row['state']),
  opened_at: time(row['opened_at']),
  began_at: time(row['began_at']),
  last_at: time(row['last_at']),
  head: text(row['head']) as Digest,
  seq: int(row['seq']),
});
