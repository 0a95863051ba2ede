import type pg from 'pg';

import { policyFormats } from '@/lib/policy/read-text';
import { signingPurposes, type SigningRequestRow, type SigningRequestStore } from '@/lib/ports/signing-request-store';

import { int, oneOf, orNull, text, time, type Row } from './columns';
import { tokenHash } from './credential-row';
import { transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const columns = `"purpose", "name", "text", "format", "signature", "place", "statement", "restores", "reason", "expires_at", "version", "done_at"`;
const add = statement('add_signing_request', `INSERT INTO "policy_signing_requests" ("workspace_id", "token_hash", ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, NULL)`);
const find = statement('find_signing_request', `SELECT ${columns} FROM "policy_signing_requests" WHERE "workspace_id" = $1 AND "token_hash" = $2`);
const signed = statement(
  'sign_signing_request',
  `UPDATE "policy_signing_requests" SET "signature" = $4, "statement" = $5, "version" = "version" + 1, "done_at" = CASE WHEN $6::boolean THEN clock_timestamp() END
   WHERE "workspace_id" = $1 AND "token_hash" = $2 AND "version" = $3 AND "done_at" IS NULL AND "expires_at" > clock_timestamp()`,
);

export const postgresSigningRequestStore = (pool: pg.Pool, workspace: string): SigningRequestStore => ({
  add: async (tx, digest, row) => {
    await touched(transactionOf(tx).client, add, [workspace, tokenHash(digest), row.purpose, row.name, row.text, row.format, row.signature, row.place, row.statement, row.restores, row.reason, row.expires_at]);
  },
  find: async (digest) => {
    const [row] = await rows(pool, find, [workspace, tokenHash(digest)]);
    return row && readRequest(row);
  },
  signed: async (digest, version, { signature, statement: placed, done }) => (await touched(pool, signed, [workspace, tokenHash(digest), version, signature, placed, done])) === 1,
});

const readRequest = (row: Row): SigningRequestRow => ({
  purpose: oneOf(signingPurposes)(row['purpose']),
  name: text(row['name']),
  text: text(row['text']),
  format: oneOf(policyFormats)(row['format']),
  signature: orNull(text)(row['signature']),
  place: orNull(text)(row['place']),
  statement: orNull(text)(row['statement']),
  restores: orNull(int)(row['restores']),
  reason: orNull(text)(row['reason']),
  expires_at: time(row['expires_at']),
  version: int(row['version']),
  done_at: orNull(time)(row['done_at']),
});
