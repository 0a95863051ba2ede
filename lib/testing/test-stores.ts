import type pg from 'pg';

import { createPool } from '@/lib/db/pool';
import { createStores, type Stores } from '@/lib/db/create-stores';
import { makeWorkspace, openWorkspace } from '@/lib/db/workspaces';
import { randomIds } from '@/lib/server/random-ids';
import type { WorkspaceId } from '@/lib/shared/ids';
import { createTestDatabase } from '@/lib/testing/database';

export type TestStores = {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly workspace: WorkspaceId;
  readonly stores: Stores;
  /** Another workspace of the same database, empty: a log of its own for each test costs less than a database. */
  readonly newWorkspace: () => Promise<{ readonly workspace: WorkspaceId; readonly stores: Stores; readonly elsewhere: Stores }>;
  /** The same workspace through a pool of its own, as another process has it. */
  readonly another: () => { readonly pool: pg.Pool; readonly stores: Stores };
  readonly close: () => Promise<void>;
};

/** An empty workspace in a database of its own, on a real PostgreSQL. For `*.itest.ts` only. */
export async function openTestStores(): Promise<TestStores> {
  const database = await createTestDatabase();
  const pools: pg.Pool[] = [];
  const connect = (): pg.Pool => {
    // Tests break connections on purpose; what matters of it shows in the call that used the connection.
    const pool = createPool({ url: database.url, max: 6, onIdleError: () => undefined });
    pools.push(pool);
    return pool;
  };
  const pool = connect();
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'Test');
  return {
    url: database.url,
    pool,
    workspace,
    stores: createStores(pool, workspace),
    newWorkspace: async () => {
      const fresh = await makeWorkspace(pool, randomIds().make('workspace'), 'Another');
      return { workspace: fresh, stores: createStores(pool, fresh), elsewhere: createStores(pool, fresh) };
    },
    another: () => {
      const other = connect();
      return { pool: other, stores: createStores(other, workspace) };
    },
    close: async () => {
      await Promise.all(pools.map((each) => each.end()));
      await database.drop();
    },
  };
}
