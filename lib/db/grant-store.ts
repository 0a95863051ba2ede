import type pg from 'pg';

import type { GrantRow, GrantStore } from '@/lib/ports/grant-store';
import type { GrantId } from '@/lib/shared/ids';

import { int, orNull, text, time, type Row } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, insertStatement, rows, statement, touched, type Columns } from './statements';

const columns = {
  id: 'text', agent_id: 'text', tool: 'text', operation: 'text', uses: 'int4', used: 'int4', expires_at: 'timestamptz', envelope: 'text', created_by: 'text',
  created_at: 'timestamptz', issued_at: 'timestamptz', ended_at: 'timestamptz',
} as const satisfies Columns;
const insertGrants = insertStatement('grants', columns);
const select = `SELECT ${columnList(columns)} FROM "grants" WHERE "workspace_id" = $1`;
const findGrants = statement('find_grants', `${select} AND "id" = ANY($2::text[])`);
const listGrants = statement('list_grants', `${select} ORDER BY "created_at" DESC, "id" DESC LIMIT $2`);
const standingGrants = statement('standing_grants', `SELECT "id" FROM "grants" WHERE "workspace_id" = $1 AND "agent_id" = $2 AND "issued_at" IS NOT NULL AND "ended_at" IS NULL ORDER BY "id"`);
const signGrant = statement('sign_grant', `UPDATE "grants" SET "envelope" = $3, "issued_at" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND "issued_at" IS NULL AND "ended_at" IS NULL`);
const consumeGrant = statement('consume_grant', `UPDATE "grants" SET "used" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND "used" = $3 AND "issued_at" IS NOT NULL AND "ended_at" IS NULL`);
const endGrant = statement('end_grant', `UPDATE "grants" SET "ended_at" = $3 WHERE "workspace_id" = $1 AND "id" = $2 AND "ended_at" IS NULL`);

export function postgresGrantStore(pool: pg.Pool, workspace: string): GrantStore {
  return {
    find: async (ids, tx) => {
      if (ids.length === 0) return new Map();
      return new Map((await rows(tx ? readingIn(tx).client : pool, findGrants, [workspace, ids])).map(readGrantRow).map((row) => [row.id, row]));
    },
    list: async (limit, tx) => (await rows(tx ? readingIn(tx).client : pool, listGrants, [workspace, limit])).map(readGrantRow),
    standingOf: async (tx, agent) => (await rows(readingIn(tx).client, standingGrants, [workspace, agent])).map((row) => text(row['id']) as GrantId),
    add: async (tx, { agent, ...row }) => {
      await insertRows(transactionOf(tx).client, insertGrants, workspace, [{ ...row, agent_id: agent }]);
    },
    sign: async (tx, id, envelope, issuedAt) => (await touched(transactionOf(tx).client, signGrant, [workspace, id, envelope, issuedAt])) === 1,
    consume: async (tx, { id, seen, use }) => (await touched(transactionOf(tx).client, consumeGrant, [workspace, id, seen, use])) === 1,
    end: async (tx, id, at) => (await touched(transactionOf(tx).client, endGrant, [workspace, id, at])) === 1,
  };
}

const readGrantRow = (row: Row): GrantRow => ({
  id: text(row['id']) as GrantId,
  agent: text(row['agent_id']),
  tool: text(row['tool']),
  operation: orNull(text)(row['operation']),
  uses: int(row['uses']),
  used: int(row['used']),
  expires_at: time(row['expires_at']),
  envelope: text(row['envelope']),
  created_by: text(row['created_by']),
  created_at: time(row['created_at']),
  issued_at: orNull(time)(row['issued_at']),
  ended_at: orNull(time)(row['ended_at']),
});
