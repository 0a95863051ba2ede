import type pg from 'pg';

import type { ContentItem, ContentStore } from '@/lib/ports/content-store';
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

export const postgresContentStore = (pool: pg.Pool, workspace: string): ContentStore => ({
  add: async (tx, items) => {
    const values = items.map(({ digest, salt, body }) => ({ digest, salt, body }));
    await insertRows(transactionOf(tx).client, insertContents, workspace, values);
  },
  find: async (digests, tx) => {
    const found = new Map<Digest, ContentItem & { readonly value: Json }>();
    if (digests.length === 0) return found;
    for (const row of await rows(tx ? readingIn(tx).client : pool, findContents, [workspace, digests])) {
      const digest = text(row['digest']) as Digest;
      const body = text(row['body']);
      found.set(digest, { digest, salt: text(row['salt']), body, value: JSON.parse(body) as Json });
    }
    return found;
  },
});
