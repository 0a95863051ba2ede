import type pg from 'pg';

import { erasedText, type ErasureStore } from '@/lib/ports/erasure-store';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import { oneOf, text } from './columns';
import { readingIn, transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const readFamily = statement(
  'erasure_family',
  `WITH RECURSIVE family AS (
     SELECT "id", "state" FROM "sessions" WHERE "workspace_id" = $1 AND "id" = $2
     UNION SELECT s."id", s."state" FROM "sessions" AS s JOIN family AS f ON s."workspace_id" = $1 AND s."parent_id" = f."id")
   SELECT "id", "state" FROM family`,
);
const readUnfinished = statement(
  'erasure_unfinished',
  `SELECT "id" FROM "actions" WHERE "workspace_id" = $1 AND "session_id" = ANY($2::text[])
   AND "state" IN ('held', 'deferred', 'permitted', 'redeemed') ORDER BY "proposed_at"`,
);
const endedBefore = statement(
  'erasure_ended_before',
  `SELECT s."id" FROM "sessions" AS s WHERE s."workspace_id" = $1 AND s."state" = 'closed' AND s."closed_at" < $2::timestamptz
   AND EXISTS (SELECT 1 FROM "context_entries" AS e WHERE e."workspace_id" = $1 AND e."session_id" = s."id" AND e."body" <> '${erasedText}')
   ORDER BY s."closed_at" LIMIT $3`,
);
const eraseContents = statement('erase_contents', `DELETE FROM "contents" WHERE "workspace_id" = $1 AND "digest" = ANY($2::text[]) RETURNING "digest"`);
const eraseSteps = statement(
  'erase_steps',
  `UPDATE "context_entries" AS e SET "body" = '${erasedText}' FROM unnest($2::text[], $3::int4[]) AS w("session", "seq")
   WHERE e."workspace_id" = $1 AND e."session_id" = w."session" AND e."seq" = w."seq" AND e."body" <> '${erasedText}'`,
);
const eraseSessions = statement(
  'erase_sessions',
  `UPDATE "context_entries" SET "body" = '${erasedText}' WHERE "workspace_id" = $1 AND "session_id" = ANY($2::text[]) AND "body" <> '${erasedText}'`,
);
/** A key's digest is that of the whole body, without a salt: it would confirm a guess of what was erased. */
const forgetKeys = statement('erase_idempotency_keys', `DELETE FROM "idempotency_keys" WHERE "workspace_id" = $1 AND "subject" = ANY($2::text[])`);
const forgetScope = statement('erase_expected_scope', `UPDATE "sessions" SET "expected_scope" = NULL WHERE "workspace_id" = $1 AND "id" = ANY($2::text[])`);
const eraseActions = statement(
  'erase_actions',
  `UPDATE "actions" SET "reason" = NULL, "body" = '${erasedText}', "outcome_error" = NULL WHERE "workspace_id" = $1 AND "id" = ANY($2::text[])`,
);
const eraseAttempts = statement(
  'erase_attempts',
  `UPDATE "deferral_attempts" AS t SET "detail" = NULL FROM "deferrals" AS d
   WHERE t."workspace_id" = $1 AND d."workspace_id" = $1 AND d."id" = t."deferral_id" AND d."action_id" = ANY($2::text[])`,
);
const eraseRequests = statement(
  'erase_requests',
  `UPDATE "approvals" SET "held" = '${erasedText}', "basis" = '${erasedText}' WHERE "workspace_id" = $1 AND "id" = ANY($2::text[])`,
);

/** One statement a table, all on the caller's transaction: what goes, goes with the receipt that says so, or stays. */
export const postgresErasureStore = (pool: pg.Pool, workspace: string): ErasureStore => ({
  family: async (session, tx) =>
    (await rows(tx ? readingIn(tx).client : pool, readFamily, [workspace, session])).map((row) => ({
      id: text(row['id']) as SessionId,
      state: oneOf(['open', 'closed'])(row['state']),
    })),
  unfinished: async (tx, sessions) => (await rows(readingIn(tx).client, readUnfinished, [workspace, sessions])).map((row) => text(row['id']) as ActionId),
  erase: async (tx, { contents, steps, sessions, actions, requests }) => {
    const { client } = transactionOf(tx);
    const gone = (await rows(client, eraseContents, [workspace, contents])).map((row) => text(row['digest']) as Digest);
    const single = await touched(client, eraseSteps, [workspace, steps.map(({ session }) => session), steps.map(({ seq }) => seq)]);
    const whole = await touched(client, eraseSessions, [workspace, sessions]);
    await touched(client, forgetKeys, [workspace, [...actions, ...sessions]]);
    await touched(client, forgetScope, [workspace, sessions]);
    await touched(client, eraseActions, [workspace, actions]);
    await touched(client, eraseAttempts, [workspace, actions]);
    await touched(client, eraseRequests, [workspace, requests]);
    return { contents: gone, entries: single + whole };
  },
  endedBefore: async (at, limit) => (await rows(pool, endedBefore, [workspace, at, limit])).map((row) => text(row['id']) as SessionId),
});
