import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createDatabase } from '@/lib/db/create-database';
import { createStores, type Stores } from '@/lib/db/create-stores';
import { startPostgres, type EmbeddedPostgres } from '@/lib/db/embedded/start-postgres';
import { fsck } from '@/lib/db/fsck';
import { migrate } from '@/lib/db/migrate';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { isCommitUnknown } from '@/lib/ports/store-faults';
import { randomIds } from '@/lib/server/random-ids';
import type { ReceiptId, WorkspaceId } from '@/lib/shared/ids';
import { testCheckpoints, type Told } from '@/lib/testing/commit-steps';
import { receipts } from '@/lib/testing/row-builders';

import { groupCommit } from './group-commit';

let directory: string;
let server: EmbeddedPostgres;
let url: string;
let pool: ReturnType<typeof createPool>;
let workspace: WorkspaceId;
let stores: Stores;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'countersign-killed-'));
  server = await startPostgres({ directory: path.join(directory, 'postgres') });
  url = await createDatabase(server.url, 'killed');
  await migrate(url, path.resolve(import.meta.dirname, '../../prisma/migrations'));
  pool = createPool({ url, max: 4, onIdleError: () => undefined });
  workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
  stores = createStores(pool, workspace);
}, 120_000);
afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

describe('a database server that is killed while many append', () => {
  it('has all that was answered when it comes back, nothing of what failed for sure, and the same writers go on', async () => {
    const commits = groupCommit(stores, testCheckpoints(workspace));
    const [told, refused, unknown]: [Told[], ReceiptId[], ReceiptId[]] = [[], [], []];
    const enough = 20 + Math.floor(Math.random() * 400);
    const write = async (): Promise<boolean> => {
      const [receipt] = await receipts(workspace, 1);
      if (!receipt) throw new Error('One was made.');
      const { id } = receipt;
      try {
        const outcome = await commits.submit({ epoch: null, session: null, action: null, receipts: [receipt], events: [] });
        if (outcome.state !== 'committed') throw new Error('A draft that rests on nothing is never stale.');
        told.push({ id, index: String(outcome.indexes[0]) });
        if (told.length === enough) process.kill(server.pid, 'SIGKILL');
        return true;
      } catch (cause) {
        (isCommitUnknown(cause) ? unknown : refused).push(id);
        return false;
      }
    };
    const writer = async (): Promise<void> => {
      let goesOn = true;
      while (goesOn) goesOn = await write();
    };
    await Promise.all(Array.from({ length: 25 }, writer));
    await server.exited;
    server = await startPostgres({ directory: path.join(directory, 'postgres'), port: server.port });
    expect(String(server.port)).toBe(new URL(url).port);

    const report = await fsck(pool, workspace);
    expect(report).toMatchObject({ ok: true });
    expect(told.length).toBeGreaterThanOrEqual(enough);
    for (const { id, index } of told) expect((await stores.log.byId(id))?.index).toBe(BigInt(index));
    for (const id of refused) expect(await stores.log.byId(id)).toBeUndefined();
    const heardOfLate = (await Promise.all(unknown.map((id) => stores.log.byId(id)))).filter((found) => found !== undefined).length;
    expect(report).toMatchObject({ size: BigInt(told.length + heardOfLate) });

    const before = told.length;
    expect(await Promise.all(Array.from({ length: 25 }, write))).toEqual(Array.from({ length: 25 }, () => true));
    expect(told.length).toBe(before + 25);
    expect(await fsck(pool, workspace)).toMatchObject({ ok: true, size: BigInt(told.length + heardOfLate) });
  }, 120_000);
});
