import type pg from 'pg';

import type { ActionChange, ActionStore } from '@/lib/ports/action-store';
import type { SessionId } from '@/lib/shared/ids';

import { actionColumns, actionValues, readActionRow, type ActionValues } from './action-row';
import { int, text } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, insertStatement, rows, statement, touched, type Statement, type Values } from './statements';

const insertActions = insertStatement('actions', actionColumns);
const select = `SELECT ${columnList(actionColumns)} FROM "actions" WHERE "workspace_id" = $1`;
const findActions = statement('find_actions', `${select} AND "id" = ANY($2::text[])`);
const findByPermit = statement('find_action_by_permit', `${select} AND "permit_id" = $2`);
const actionsOfSession = statement(
  'actions_of_session',
  `${select} AND "session_id" = $2 AND "state" = ANY($3::text[]) ORDER BY "proposed_at", "receipt_index"`,
);
/**
 * Each kind by its own index, whatever is outstanding: by the statement's time, since an index is not searched for a clock that moves. The
 * longest due come first, so that many of one kind keep none of the other waiting.
 */
const overdueActions = statement(
  'overdue_actions',
  `SELECT ${columnList(actionColumns)} FROM (
     (${select} AND "state" = 'permitted' AND "permit_expires_at" <= statement_timestamp() ORDER BY "permit_expires_at" LIMIT $2)
     UNION ALL (${select} AND "state" = 'redeemed' AND "outcome_due_at" <= statement_timestamp() ORDER BY "outcome_due_at" LIMIT $2)) due
   ORDER BY coalesce("outcome_due_at", "permit_expires_at") LIMIT $2`,
);
const countWaiting = statement(
  'count_waiting_actions',
  `SELECT count(*) FILTER (WHERE "session_id" = $2)::int AS "session", count(*) FILTER (WHERE "agent_id" = $3)::int AS "agent",
     count(*) FILTER (WHERE "human" = $4)::int AS "human",
     (SELECT count(*)::int FROM "actions" WHERE "workspace_id" = $1 AND "agent_id" = $3 AND "proposed_at" >= $5
        AND ("decision" IN ('STEP_UP', 'DEFER') OR "state" IN ('held', 'deferred'))) AS "agent_since"
   FROM "actions" WHERE "workspace_id" = $1 AND "state" IN ('held', 'deferred') AND ("session_id" = $2 OR "agent_id" = $3 OR "human" = $4)`,
);
const sessionsWaiting = statement(
  'sessions_waiting',
  `SELECT s."session" FROM unnest($2::text[]) AS s("session") WHERE EXISTS (
     SELECT 1 FROM "actions" a WHERE a."workspace_id" = $1 AND a."session_id" = s."session" AND a."state" IN ('held', 'deferred'))
     OR EXISTS (SELECT 1 FROM "actions" a WHERE a."workspace_id" = $1 AND a."session_id" = s."session" AND a."code" = 'approval_denied')`,
);
const deniedByPeople = statement('denied_by_people', `${select} AND "session_id" = $2 AND "code" = 'approval_denied' ORDER BY "proposed_at", "id"`);

const orphanedSessions = statement(
  'orphaned_sessions',
  `SELECT DISTINCT a."session_id" AS "session", s."state" AS "state"
   FROM "actions" a JOIN "sessions" s ON s."workspace_id" = a."workspace_id" AND s."id" = a."session_id"
   WHERE a."workspace_id" = $1 AND a."state" IN ('held', 'deferred', 'permitted') AND (s."state" = 'closed' OR EXISTS (
     SELECT 1 FROM "switches" w WHERE w."workspace_id" = $1 AND w."released_at" IS NULL
       AND (w."scope" = 'all' OR (w."scope" = 'agent' AND w."subject" = a."agent_id") OR (w."scope" = 'tool' AND w."subject" = a."tool"))))
   LIMIT $2`,
);

export function postgresActionStore(pool: pg.Pool, workspace: string): ActionStore {
  return {
    insert: async (tx, actions) => {
      const values = actions.map((action) => actionValues(action) as Values<string>);
      await insertRows(transactionOf(tx).client, insertActions, workspace, values);
    },
    find: async (ids, tx) => {
      if (ids.length === 0) return new Map();
      const found = await rows(tx ? readingIn(tx).client : pool, findActions, [workspace, ids]);
      return new Map(found.map(readActionRow).map((action) => [action.id, action]));
    },
    findByPermit: async (permit, tx) => {
      const [row] = await rows(tx ? readingIn(tx).client : pool, findByPermit, [workspace, permit]);
      return row && readActionRow(row);
    },
    change: async (tx, change) => {
      const { update, values } = updateOf(change);
      return (await touched(transactionOf(tx).client, update, [workspace, change.id, change.from, ...values])) === 1;
    },
    ofSession: async (session, states, tx) =>
      (await rows(tx ? readingIn(tx).client : pool, actionsOfSession, [workspace, session, states])).map(readActionRow),
    deniedByPeople: async (session) => (await rows(pool, deniedByPeople, [workspace, session])).map(readActionRow),
    sessionsWaiting: async (tx, sessions) =>
      new Set((await rows(readingIn(tx).client, sessionsWaiting, [workspace, sessions])).map((row) => text(row['session']) as SessionId)),
    countWaiting: async ({ session, agent, human, since }, tx) => {
      const [row] = await rows(tx ? readingIn(tx).client : pool, countWaiting, [workspace, session, agent, human, since]);
      return {
        session: int(row?.['session']),
        agent: int(row?.['agent']),
        human: int(row?.['human']),
        agent_since: int(row?.['agent_since']),
      };
    },
    overdue: async (limit) => (await rows(pool, overdueActions, [workspace, limit])).map(readActionRow),
    orphaned: async (limit) =>
      (await rows(pool, orphanedSessions, [workspace, limit])).map((row) => ({
        session: row['session'] as SessionId,
        cause: row['state'] === 'closed' ? 'session_ended' : 'kill_switch',
      })),
  };
}

/** One statement for each set of columns that the callers change together: a handful, so each connection plans them once. */
const updates = new Map<string, Statement>();

function updateOf({ id: _id, from: _from, at, ...change }: ActionChange): { readonly update: Statement; readonly values: readonly unknown[] } {
  const set: ActionValues = { ...actionValues(change), changed_at: at };
  const names = Object.keys(set).sort();
  const key = names.join();
  let update = updates.get(key);
  if (!update) {
    const assignments = names.map((name, i) => `"${name}" = $${String(i + 4)}`).join(', ');
    const sql = `UPDATE "actions" SET ${assignments} WHERE "workspace_id" = $1 AND "id" = $2 AND ("state" = $3) IS TRUE`;
    update = statement(`change_action_${String(updates.size)}`, sql);
    updates.set(key, update);
  }
  const values: Readonly<Record<string, unknown>> = set;
  return { update, values: names.map((name) => values[name]) };
}
