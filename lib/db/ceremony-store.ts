import type pg from 'pg';

import type { CeremonyRow, CeremonyStore } from '@/lib/ports/ceremony-store';
import type { Tx } from '@/lib/ports/transaction';

import { oneOf, text, time, type Row } from './columns';
import { readingIn, transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const columns = `"digest", "kind", "change", "envelopes", "state", "started_by", "started_at"`;
const open = statement('open_ceremonies', `SELECT ${columns} FROM "ceremonies" WHERE "workspace_id" = $1 AND "state" = 'open' ORDER BY "started_at", "digest" LIMIT 100`);
const find = statement('find_ceremony', `SELECT ${columns} FROM "ceremonies" WHERE "workspace_id" = $1 AND "digest" = $2`);
const add = statement('add_ceremony', `INSERT INTO "ceremonies" ("workspace_id", ${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`);
const keep = statement('keep_ceremony', `UPDATE "ceremonies" SET "envelopes" = $3 WHERE "workspace_id" = $1 AND "digest" = $2 AND "state" = 'open'`);
const end = statement('end_ceremony', `UPDATE "ceremonies" SET "state" = $3, "ended_at" = $4 WHERE "workspace_id" = $1 AND "digest" = $2 AND "state" = 'open'`);

export function postgresCeremonyStore(pool: pg.Pool, workspace: string): CeremonyStore {
  const on = (tx?: Tx) => (tx ? readingIn(tx).client : pool);
  return {
    open: async (tx) => (await rows(on(tx), open, [workspace])).map(readCeremony),
    find: async (digest, tx) => (await rows(on(tx), find, [workspace, digest])).map(readCeremony)[0],
    add: async (tx, row) => {
      await touched(transactionOf(tx).client, add, [workspace, row.digest, row.kind, row.change, row.envelopes, row.state, row.started_by, row.started_at]);
    },
    keep: async (tx, digest, envelopes) => (await touched(transactionOf(tx).client, keep, [workspace, digest, envelopes])) === 1,
    end: async (tx, digest, state, at) => (await touched(transactionOf(tx).client, end, [workspace, digest, state, at])) === 1,
  };
}

const readCeremony = (row: Row): CeremonyRow => ({
  digest: text(row['digest']),
  kind: oneOf(['trust_root', 'roster', 'recovery'])(row['kind']),
  change: text(row['change']),
  envelopes: text(row['envelopes']),
  state: oneOf(['open', 'completed', 'withdrawn', 'superseded'])(row['state']),
  started_by: text(row['started_by']),
  started_at: time(row['started_at']),
});
