import type pg from 'pg';

import { isId, type WorkspaceId } from '@/lib/shared/ids';

import { big, text } from './columns';
import { zeroHash } from './head-row';
import { makePartitions, partitionsAtStart } from './receipt-partitions';

/** Any number that nothing else locks: two first starts at once take turns, and the second finds what the first made. */
const firstStartLock = 4_207_319_861;

/**
 * The database's workspace, made with an empty log when there is none. The head is dated by the database's clock: log time
 * begins there and never goes back.
 */
export async function openWorkspace(pool: pg.Pool, fresh: WorkspaceId, name: string): Promise<WorkspaceId> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [firstStartLock]);
    const found = await client.query<Record<string, unknown>>('SELECT "id" FROM "workspaces" ORDER BY "created_at", "id" LIMIT 1');
    const workspace = found.rows[0] ? readWorkspaceId(found.rows[0]['id']) : await makeWorkspace(client, fresh, name);
    // Whatever was not made ahead while the log grew is made at the next start.
    const head = await client.query<Record<string, unknown>>('SELECT "size" FROM "ledger_heads" WHERE "workspace_id" = $1', [workspace]);
    if (head.rows[0]) await makePartitions(client, workspace, partitionsAtStart(Number(big(head.rows[0]['size']))));
    await client.query('COMMIT');
    client.release();
    return workspace;
  } catch (error) {
    // Closing the connection undoes what it began.
    client.release(true);
    throw error;
  }
}

/** A workspace with an empty log, inside the caller's transaction. */
export async function makeWorkspace(client: Pick<pg.ClientBase, 'query'>, id: WorkspaceId, name: string): Promise<WorkspaceId> {
  await client.query('INSERT INTO "workspaces" ("id", "name") VALUES ($1, $2)', [id, name]);
  await client.query(
    `INSERT INTO "ledger_heads" ("workspace_id", "last_hash", "frontier", "logged_at")
     VALUES ($1, $2, '', date_trunc('milliseconds', clock_timestamp()))`,
    [id, zeroHash],
  );
  await makePartitions(client, id, partitionsAtStart(0));
  return id;
}

function readWorkspaceId(value: unknown): WorkspaceId {
  const id = text(value);
  if (!isId('workspace', id)) throw new Error(`The database's workspace has the id ${id}, which is none.`);
  return id;
}
