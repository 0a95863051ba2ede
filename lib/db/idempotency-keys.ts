import type pg from 'pg';

import type { CredentialStore } from '@/lib/ports/credential-store';

import { text, type Row } from './columns';
import { transactionOf } from './open-transaction';
import { rows, statement } from './statements';

/**
 * A key counts for a day. An older one is taken over as if it were new, in the same statement: no sweep has to have run.
 * Under the head lock nobody else writes it between the insert and the look at what was there.
 */
const rememberKey = statement(
  'remember_idempotency_key',
  `WITH taken AS (
     INSERT INTO "idempotency_keys" AS k ("workspace_id", "credential_id", "key", "body_digest", "subject", "created_at")
     VALUES ($1, $2, $3, $4, $5, clock_timestamp())
     ON CONFLICT ("workspace_id", "credential_id", "key") DO UPDATE
       SET "body_digest" = excluded."body_digest", "subject" = excluded."subject", "created_at" = excluded."created_at"
       WHERE k."created_at" <= clock_timestamp() - interval '24 hours'
     RETURNING 1)
   SELECT "subject", "body_digest" FROM "idempotency_keys"
   WHERE "workspace_id" = $1 AND "credential_id" = $2 AND "key" = $3 AND NOT EXISTS (SELECT 1 FROM taken)`,
);

const findKey = statement(
  'find_idempotency_key',
  `SELECT "subject", "body_digest" FROM "idempotency_keys"
   WHERE "workspace_id" = $1 AND "credential_id" = $2 AND "key" = $3 AND "created_at" > clock_timestamp() - interval '24 hours'`,
);

export const idempotencyKeys = (pool: pg.Pool, workspace: string): Pick<CredentialStore, 'idempotent' | 'findIdempotent'> => ({
  idempotent: async (tx, { credential, key, body_digest, subject }) => {
    const values = [workspace, credential, key, body_digest, subject];
    return (await rows(transactionOf(tx).client, rememberKey, values)).map(readKey)[0];
  },
  findIdempotent: async (credential, key) => (await rows(pool, findKey, [workspace, credential, key])).map(readKey)[0],
});

const readKey = (row: Row) => ({ subject: text(row['subject']), body_digest: text(row['body_digest']) });
