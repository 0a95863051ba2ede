import type pg from 'pg';

import type { ContentStore } from '@/lib/ports/content-store';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import { text } from './columns';
import { insertRows } from './insert-rows';
import { readingIn, transactionOf } from './open-transaction';
import { insertStatement, rows, statement, type Columns } from './statements';

const contentColumns = { digest: 'text', salt: 'text', body: 'text' } as const satisfies Columns;

/** The digest covers salt and body, so what is there already under it is the same. */
const insertContents = insertStatement('contents', contentColumns, 'ON CONFLICT DO NOTHING');

const findContents = statement(
  'find_contents',
  `SELECT "digest", "salt", "body" FROM "contents" WHERE "workspace_id" = $1 AND "digest" = ANY($2::text[])`,
);

export function postgresContentStore(pool: pg.Pool, workspace: string): ContentStore {
  const texts: ContentStore['texts'] = async (digests, tx) => {
    if (digests.length === 0) return new Map();
    const found = await rows(tx ? readingIn(tx).client : pool, findContents, [workspace, digests]);
    return new Map(found.map((row) => {
      const digest = text(row['digest']) as Digest;
      return [digest, { digest, salt: text(row['salt']), body: text(row['body']) }];
    }));
  };
  return {
    add: async (tx, items) => {
      const values = items.map(({ digest, salt, body }) => ({ digest, salt, body }));
      await insertRows(transactionOf(tx).client, insertContents, workspace, values);
    },
    texts,
    find: async (digests, tx) => new Map([...(await texts(digests, tx))].map(([digest, item]) => [digest, { ...item, value: JSON.parse(item.body) as Json }])),
  };
}
