import type pg from 'pg';

import type { ApprovalStore } from '@/lib/ports/approval-store';
import type { Tx } from '@/lib/ports/transaction';
import { bounds } from '@/lib/shared/bounds';
import type { ActionId } from '@/lib/shared/ids';

import {
  approvalColumns, approvalValues, deferralColumns, deferralValues, readApprovalRow, readDeferralRow, readVoteRow, voteColumns, voteValues,
} from './approval-row';
import { int, text } from './columns';
import { gathered } from './gathered';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, insertStatement, rows, statement, touched } from './statements';

/**
 * The state of a row that is found by its key. Written so, no index on states serves it: a planner without statistics of what has just come
 * takes one all the same, and reads every request that waits to find the one.
 */
const still = (state: string): string => `("state" = '${state}') IS TRUE`;

const insertApprovals = insertStatement('approvals', approvalColumns);
/** INVARIANT: a request is written together with the notice of it, and ends together with the notice of its end. Whether anybody is told is decided later. */
const insertNotices = statement(
  'insert_held_notices',
  `INSERT INTO "notices" ("workspace_id", "approval_id", "kind", "at") SELECT $1, n."id", 'held', n."at" FROM unnest($2::text[], $3::timestamptz[]) AS n("id", "at")`,
);
const selectApproval = `SELECT ${columnList(approvalColumns, 'p')} FROM "approvals" AS p`;
const findApproval = statement('find_approval', `${selectApproval} WHERE p."workspace_id" = $1 AND p."id" = $2`);
const findApprovals = statement('find_approvals', `${selectApproval} WHERE p."workspace_id" = $1 AND p."id" = ANY($2::text[])`);
/** The latest: an edit or a stale basis leaves its predecessors behind. */
const approvalOfAction = statement(
  'approval_of_action',
  `${selectApproval} WHERE p."workspace_id" = $1 AND p."action_id" = $2 ORDER BY (p."state" = 'pending') DESC, p."created_at" DESC LIMIT 1`,
);
const expiredApprovals = statement(
  'expired_approvals',
  `${selectApproval} WHERE p."workspace_id" = $1 AND p."state" = 'pending' AND p."expires_at" <= clock_timestamp() ORDER BY p."expires_at" LIMIT $2`,
);
const approvalsToEscalate = statement(
  'approvals_to_escalate',
  `${selectApproval} WHERE p."workspace_id" = $1 AND p."state" = 'pending' AND p."escalates_at" <= clock_timestamp() AND p."expires_at" > clock_timestamp() ORDER BY p."escalates_at" LIMIT $2`,
);
const escalateApproval = statement(
  'escalate_approval',
  `WITH escalated AS (
     UPDATE "approvals" SET "approvers" = $4, "escalates_at" = NULL WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('pending')} AND "approvers" = $3::text[] RETURNING "id")
   INSERT INTO "notices" ("workspace_id", "approval_id", "kind", "at") SELECT $1, "id", 'escalated', $5 FROM escalated`,
);
/** The oldest look comes first, so that sessions that never stand still keep none of the others waiting. */
const approvalsToLookAt = statement(
  'approvals_to_look_at',
  `${selectApproval} JOIN "actions" AS a ON a."workspace_id" = p."workspace_id" AND a."id" = p."action_id"
   JOIN "sessions" AS s ON s."workspace_id" = p."workspace_id" AND s."id" = p."session_id"
   WHERE p."workspace_id" = $1 AND p."state" = 'pending' AND p."expires_at" > statement_timestamp() AND a."state" = 'held'
     AND (p."edit" IS NOT NULL OR p."looked_epoch" < $2 OR p."looked_head" <> s."head")
   ORDER BY p."edit" IS NULL, p."looked_epoch", p."created_at" LIMIT $3`,
);
const lookedAtApproval = statement(
  'looked_at_approval',
  `UPDATE "approvals" SET "looked_epoch" = $3, "looked_head" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('pending')}`,
);
const addEdit = statement('add_edit', `UPDATE "approvals" SET "edit" = $3 WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = 'pending' AND "edit" IS NULL`);
const countApprovals = statement('count_approvals', `SELECT count(*)::int AS "count" FROM "approvals" WHERE "workspace_id" = $1 AND "action_id" = $2`);
const approvalsAwaitingPermit = statement(
  'approvals_awaiting_permit',
  `${selectApproval} JOIN "actions" AS a ON a."workspace_id" = p."workspace_id" AND a."id" = p."action_id"
   WHERE p."workspace_id" = $1 AND p."state" = 'approved' AND a."state" IN ('held', 'deferred') AND a."permit_id" IS NULL
   ORDER BY p."resolved_at" LIMIT $2`,
);
const resolveApproval = statement(
  'resolve_approval',
  `WITH resolved AS (
     UPDATE "approvals" SET "state" = $3, "resolved_at" = $4, "resolved_by" = $5, "resolution" = $6
     WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('pending')} RETURNING "id", "resolved_at")
   INSERT INTO "notices" ("workspace_id", "approval_id", "kind", "at") SELECT $1, "id", 'ended', "resolved_at" FROM resolved`,
);

const extendApproval = statement(
  'extend_approval',
  `WITH RECURSIVE extended AS (
     UPDATE "approvals" SET "expires_at" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('pending')} AND "expires_at" = $3 RETURNING "action_id", "session_id"
   ), waiting("action_id") AS (
     SELECT "action_id" FROM extended UNION
     SELECT d."action_id" FROM waiting AS w JOIN extended AS e ON true JOIN "deferrals" AS d
       ON d."workspace_id" = $1 AND d."session_id" = e."session_id" AND d."state" = 'open' AND w."action_id" = ANY(d."waits_for")
   ), given AS (
     UPDATE "deferrals" AS d SET "expires_at" = LEAST(d."expires_at" + ($4::timestamptz - $3::timestamptz), a."proposed_at" + $5 * interval '1 second')
     FROM waiting AS w JOIN "actions" AS a ON a."workspace_id" = $1 AND a."id" = w."action_id"
     WHERE d."workspace_id" = $1 AND d."action_id" = w."action_id" AND d."state" = 'open'
   ) SELECT "action_id" FROM extended`,
);

/** A second vote of one person changes nothing: the first stands. */
const insertVotes = insertStatement('votes', voteColumns, 'ON CONFLICT DO NOTHING');
const votesOf = statement(
  'votes_of_approval',
  `SELECT ${columnList(voteColumns)} FROM "votes" WHERE "workspace_id" = $1 AND "approval_id" = $2 ORDER BY "at", "person_id"`,
);

const insertDeferrals = insertStatement('deferrals', deferralColumns);
const selectDeferral = `SELECT ${columnList(deferralColumns)} FROM "deferrals" WHERE "workspace_id" = $1`;
const deferralOfAction = statement(
  'deferral_of_action',
  `${selectDeferral} AND "action_id" = $2 ORDER BY ("state" = 'open') DESC, "created_at" DESC LIMIT 1`,
);
const actionOf = statement(
  'action_of_waiting',
  `SELECT "action_id" FROM "approvals" WHERE "workspace_id" = $1 AND "id" = $2 UNION ALL SELECT "action_id" FROM "deferrals" WHERE "workspace_id" = $1 AND "id" = $2`,
);
const openDeferrals = statement('open_deferrals', `${selectDeferral} AND "session_id" = $2 AND "state" = 'open' ORDER BY "created_at", "id"`);
const questionsOf = statement('questions_of_action', `${selectDeferral} AND "action_id" = $2 AND "question" IS NOT NULL ORDER BY "created_at", "id"`);
const openDeferralsOf = statement('open_deferrals_of_actions', `${selectDeferral} AND "action_id" = ANY($2::text[]) AND ${still('open')}`);
const selectWaiting = `SELECT ${columnList(deferralColumns, 'd')} FROM "deferrals" AS d
   JOIN "actions" AS a ON a."workspace_id" = d."workspace_id" AND a."id" = d."action_id"
   WHERE d."workspace_id" = $1 AND d."state" = 'open' AND a."state" = 'deferred'`;
const expiredDeferrals = statement(
  'expired_deferrals',
  `${selectWaiting} AND d."expires_at" <= clock_timestamp() ORDER BY d."expires_at" LIMIT $2`,
);
/** What an action depends on is in its way until it has succeeded or failed; what it merely stands behind, while that waits. */
const releasableDeferrals = statement(
  'releasable_deferrals',
  `${selectWaiting} AND d."expires_at" > clock_timestamp() AND (a."epoch" < $2 OR EXISTS (
     SELECT 1 FROM "actions" AS w WHERE w."workspace_id" = $1 AND w."id" = ANY(d."waits_for") AND w."state" NOT IN ('held', 'deferred')
       AND NOT (w."id" = ANY(a."depends_on") AND w."state" IN ('permitted', 'redeemed'))))
   ORDER BY d."created_at", d."id" LIMIT $3`,
);
const awaitedActions = statement(
  'awaited_actions',
  `SELECT DISTINCT w."id" FROM "deferrals" AS d, unnest(d."waits_for") AS w("id") WHERE d."workspace_id" = $1 AND d."state" = 'open' LIMIT $2`,
);
const narrowDeferral = statement(
  'narrow_deferral',
  `UPDATE "deferrals" SET "missing" = $3, "waits_for" = $4, "ask_at" = CASE WHEN $5::bool THEN coalesce("ask_at", clock_timestamp()) ELSE "ask_at" END WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('open')}`,
);
const resolveDeferral = statement(
  'resolve_deferral',
  `UPDATE "deferrals" SET "state" = $3, "resolved_at" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND ${still('open')}`,
);

export function postgresApprovalStore(pool: pg.Pool, workspace: string): ApprovalStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);
  const found = gathered((ids) => rows(pool, findApprovals, [workspace, ids]), (row) => text(row['id']));
  return {
    insert: async (tx, approvals) => {
      const { client } = transactionOf(tx);
      const told = approvals.filter(({ state }) => state === 'pending');
      await Promise.all([
        insertRows(client, insertApprovals, workspace, approvals.map(approvalValues)),
        touched(client, insertNotices, [workspace, told.map(({ id }) => id), told.map(({ created_at }) => created_at)]),
      ]);
    },
    find: async (id, tx) => (tx ? await rows(on(tx), findApproval, [workspace, id]) : await found([id])).map(readApprovalRow)[0],
    findAll: async (ids, tx) => {
      if (ids.length === 0) return new Map();
      return new Map((await rows(on(tx), findApprovals, [workspace, ids])).map(readApprovalRow).map((row) => [row.id, row]));
    },
    ofAction: async (action, tx) => (await rows(on(tx), approvalOfAction, [workspace, action])).map(readApprovalRow)[0],
    resolve: async (tx, id, { state, at, by, resolution }) =>
      (await touched(transactionOf(tx).client, resolveApproval, [workspace, id, state, at, by, resolution])) === 1,
    extend: async (tx, id, { from, to }) => (await touched(transactionOf(tx).client, extendApproval, [workspace, id, from, to, bounds.actionLifeSeconds])) === 1,
    escalate: async (tx, id, { from, to }, at) => (await touched(transactionOf(tx).client, escalateApproval, [workspace, id, from, to, at])) === 1,
    addEdit: async (tx, id, edit) => (await touched(transactionOf(tx).client, addEdit, [workspace, id, edit])) === 1,
    addVote: async (tx, vote) => (await insertRows(transactionOf(tx).client, insertVotes, workspace, [voteValues(vote)])) === 1,
    votes: async (id, tx) => (await rows(on(tx), votesOf, [workspace, id])).map(readVoteRow),
    expired: async (limit) => (await rows(pool, expiredApprovals, [workspace, limit])).map(readApprovalRow),
    toEscalate: async (limit) => (await rows(pool, approvalsToEscalate, [workspace, limit])).map(readApprovalRow),
    toLookAt: async (epoch, limit) => (await rows(pool, approvalsToLookAt, [workspace, epoch, limit])).map(readApprovalRow),
    lookedAt: async (id, epoch, head) => {
      await touched(pool, lookedAtApproval, [workspace, id, epoch, head]);
    },
    countOf: async (action) => int((await rows(pool, countApprovals, [workspace, action]))[0]?.['count']),
    awaitingPermit: async (limit) => (await rows(pool, approvalsAwaitingPermit, [workspace, limit])).map(readApprovalRow),
    insertDeferrals: async (tx, deferrals) => {
      await insertRows(transactionOf(tx).client, insertDeferrals, workspace, deferrals.map(deferralValues));
    },
    deferralOf: async (action, tx) => (await rows(on(tx), deferralOfAction, [workspace, action])).map(readDeferralRow)[0],
    actionOf: async (id) => (await rows(pool, actionOf, [workspace, id])).map((row) => text(row['action_id']) as ActionId)[0],
    openDeferrals: async (session, tx) => (await rows(on(tx), openDeferrals, [workspace, session])).map(readDeferralRow),
    resolveDeferral: async (tx, id, state, at) => (await touched(transactionOf(tx).client, resolveDeferral, [workspace, id, state, at])) === 1,
    narrowDeferral: async (tx, { id, missing, waits_for, ask }) =>
      (await touched(transactionOf(tx).client, narrowDeferral, [workspace, id, missing, waits_for, ask])) === 1,
    releasableDeferrals: async (epoch, limit) => (await rows(pool, releasableDeferrals, [workspace, epoch, limit])).map(readDeferralRow),
    awaitedActions: async (limit) => new Set((await rows(pool, awaitedActions, [workspace, limit])).map((row) => text(row['id']) as ActionId)),
    deferralsOf: async (actions, tx) => (actions.length === 0 ? [] : (await rows(on(tx), openDeferralsOf, [workspace, actions])).map(readDeferralRow)),
    questionsOf: async (action, tx) => (await rows(on(tx), questionsOf, [workspace, action])).map(readDeferralRow),
    expiredDeferrals: async (limit) => (await rows(pool, expiredDeferrals, [workspace, limit])).map(readDeferralRow),
  };
}
