import type pg from 'pg';

import type { PeopleStore } from '@/lib/ports/people-store';
import type { KeyId } from '@/lib/shared/ids';

import { text } from './columns';
import { transactionOf } from './open-transaction';
import { rows, statement, touched } from './statements';

const list = statement('key_labels', `SELECT "key_id", "label" FROM "key_labels" WHERE "workspace_id" = $1 AND "person_id" = $2`);
const set = statement(
  'label_key',
  `INSERT INTO "key_labels" ("workspace_id", "person_id", "key_id", "label") VALUES ($1, $2, $3, $4)
   ON CONFLICT ("workspace_id", "person_id", "key_id") DO UPDATE SET "label" = EXCLUDED."label"`,
);

export const keyLabels = (pool: pg.Pool, workspace: string): Pick<PeopleStore, 'keyLabels' | 'labelKey'> => ({
  keyLabels: async (person) => new Map((await rows(pool, list, [workspace, person])).map((row) => [text(row['key_id']) as KeyId, text(row['label'])])),
  labelKey: async (tx, person, key, label) => {
    await touched(transactionOf(tx).client, set, [workspace, person, key, label]);
  },
});
