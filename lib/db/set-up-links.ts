import type pg from 'pg';

import type { PeopleStore } from '@/lib/ports/people-store';

import { orNull, time } from './columns';
import { tokenHash } from './credential-row';
import { transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const addLink = statement('add_set_up_link', `INSERT INTO "set_up_links" ("workspace_id", "token_hash", "expires_at") VALUES ($1, $2, $3)`);
const findLink = statement('find_set_up_link', `SELECT "expires_at", "used_at" FROM "set_up_links" WHERE "workspace_id" = $1 AND "token_hash" = $2`);
/** Expiry is judged here again, by the database's clock: of two uses at once one wins, and none after the end. */
const useLink = statement(
  'use_set_up_link',
  `UPDATE "set_up_links" SET "used_at" = $3
   WHERE "workspace_id" = $1 AND "token_hash" = $2 AND "used_at" IS NULL AND "expires_at" > clock_timestamp()`,
);

export const setUpLinks = (pool: pg.Pool, workspace: string): Pick<PeopleStore, 'addSetUpLink' | 'findSetUpLink' | 'useSetUpLink'> => ({
  addSetUpLink: async (tx, digest, expiresAt) => {
    await touched(transactionOf(tx).client, addLink, [workspace, tokenHash(digest), expiresAt]);
  },
  findSetUpLink: async (digest) => {
    const [row] = await rows(pool, findLink, [workspace, tokenHash(digest)]);
    return row && { expires_at: time(row['expires_at']), used_at: orNull(time)(row['used_at']) };
  },
  useSetUpLink: async (tx, digest, at) => (await touched(transactionOf(tx).client, useLink, [workspace, tokenHash(digest), at])) === 1,
});
