import type pg from 'pg';

import { attemptOutcomes, type AttemptRow, type AttemptStore } from '@/lib/ports/attempt-store';
import type { DeferralId } from '@/lib/shared/ids';

import { deferralColumns, readDeferralRow } from './approval-row';
import { int, oneOf, orNull, text, time, type Row } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { columnList, insertStatement, rows, statement, touched, type Columns, type Values } from './statements';

const attemptColumns = {
  deferral_id: 'text', subject: 'text', name: 'text', source: 'text', attempt: 'int4', asked_at: 'timestamptz', answered_at: 'timestamptz',
  outcome: 'text', detail: 'text',
} as const satisfies Columns;

const insertAttempts = insertStatement('deferral_attempts', attemptColumns);
const dueDeferrals = statement(
  'due_deferrals',
  `SELECT ${columnList(deferralColumns, 'd')} FROM "deferrals" AS d
   JOIN "actions" AS a ON a."workspace_id" = d."workspace_id" AND a."id" = d."action_id"
   WHERE d."workspace_id" = $1 AND d."state" = 'open' AND a."state" = 'deferred' AND d."ask_at" <= clock_timestamp() AND d."expires_at" > clock_timestamp()
   ORDER BY d."ask_at" LIMIT $2`,
);
const moveAskAt = statement(
  'move_ask_at',
  `UPDATE "deferrals" SET "ask_at" = $4 WHERE "workspace_id" = $1 AND "id" = $2 AND "state" = 'open' AND "ask_at" = $3`,
);
const settleAttempt = statement(
  'settle_attempt',
  `UPDATE "deferral_attempts" SET "outcome" = $7, "answered_at" = $8, "detail" = $9
   WHERE "workspace_id" = $1 AND "deferral_id" = $2 AND "subject" = $3 AND "name" = $4 AND "source" = $5 AND "attempt" = $6 AND "outcome" IS NULL`,
);
const attemptsOf = statement(
  'attempts_of_deferrals',
  `SELECT ${columnList(attemptColumns)} FROM "deferral_attempts" WHERE "workspace_id" = $1 AND "deferral_id" = ANY($2::text[])
   ORDER BY "asked_at", "attempt", "source", "name", "subject"`,
);

export const postgresAttemptStore = (pool: pg.Pool, workspace: string): AttemptStore => ({
  due: async (limit) => (await rows(pool, dueDeferrals, [workspace, limit])).map(readDeferralRow),
  askAt: async (tx, deferral, from, to) => (await touched(transactionOf(tx).client, moveAskAt, [workspace, deferral, from, to])) === 1,
  begin: async (tx, attempts) => {
    await insertRows(transactionOf(tx).client, insertAttempts, workspace, attempts.map(attemptValues));
  },
  settle: async (tx, { deferral, subject, name, source, attempt }, { outcome, at, detail }) =>
    (await touched(transactionOf(tx).client, settleAttempt, [workspace, deferral, subject, name, source, attempt, outcome, at, detail])) === 1,
  ofDeferrals: async (deferrals, tx) => {
    if (deferrals.length === 0) return [];
    return (await rows(tx ? readingIn(tx).client : pool, attemptsOf, [workspace, deferrals])).map(readAttempt);
  },
});

const attemptValues = ({ deferral, ...same }: AttemptRow): Values<keyof typeof attemptColumns> => ({ ...same, deferral_id: deferral });

const textOrNull = orNull(text);

const readAttempt = (row: Row): AttemptRow => ({
  deferral: text(row['deferral_id']) as DeferralId,
  subject: text(row['subject']),
  name: text(row['name']),
  source: text(row['source']),
  attempt: int(row['attempt']),
  asked_at: time(row['asked_at']),
  answered_at: orNull(time)(row['answered_at']),
  outcome: orNull(oneOf(attemptOutcomes))(row['outcome']),
  detail: textOrNull(row['detail']),
});
