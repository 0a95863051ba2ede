import type pg from 'pg';

import type { SavedViewRow, SavedViewStore } from '@/lib/ports/saved-view-store';
import type { ViewId } from '@/lib/shared/ids';

import { text, time, type Row } from './columns';
import { readingIn, transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const list = statement('saved_views', `SELECT "id", "name", "filters", "created_at" FROM "saved_views" WHERE "workspace_id" = $1 AND "person_id" = $2 ORDER BY lower("name"), "id"`);
const add = statement('add_saved_view', `INSERT INTO "saved_views" ("workspace_id", "person_id", "id", "name", "filters", "created_at") VALUES ($1, $2, $3, $4, $5, $6)`);
const rename = statement('rename_saved_view', `UPDATE "saved_views" SET "name" = $4 WHERE "workspace_id" = $1 AND "person_id" = $2 AND "id" = $3`);
const remove = statement('remove_saved_view', `DELETE FROM "saved_views" WHERE "workspace_id" = $1 AND "person_id" = $2 AND "id" = $3`);

export const postgresSavedViewStore = (pool: pg.Pool, workspace: string): SavedViewStore => ({
  list: async (person, tx) => (await rows(tx ? readingIn(tx).client : pool, list, [workspace, person])).map(readView),
  add: async (tx, person, row) => {
    await touched(transactionOf(tx).client, add, [workspace, person, row.id, row.name, row.filters, row.created_at]);
  },
  rename: async (tx, person, id, name) => (await touched(transactionOf(tx).client, rename, [workspace, person, id, name])) === 1,
  remove: async (tx, person, id) => (await touched(transactionOf(tx).client, remove, [workspace, person, id])) === 1,
});

const readView = (row: Row): SavedViewRow => ({
  id: text(row['id']) as ViewId,
  name: text(row['name']),
  filters: text(row['filters']),
  created_at: time(row['created_at']),
});
