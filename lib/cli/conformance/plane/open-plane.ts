import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { startTemporaryPlane } from '@/lib/cli/temporary-plane';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { parseEnvironment } from '@/lib/server/env';
import { joinConsoleParts } from '@/lib/server/join-console-parts';
import { randomIds } from '@/lib/server/random-ids';
import { ownServiceKey } from '@/lib/server/service-keys';
import { canonicalJson } from '@/lib/shared/canonical-json';

import type { Adapter } from '../adapter';
import type { Cast } from '../call';
import { ownPolicy } from '../own-policy';
import { planeAdapter } from './plane-adapter';
import { provisionOf } from './plane-stage';

/** The adapter of a plane of its own, in a process and on a database that end with it. */
export async function openPlane(cast: Cast): Promise<Adapter> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-conformance-'));
  const blocklist = path.join(folder, 'blocklist.txt');
  await writeFile(blocklist, '');
  const plane = await startTemporaryPlane(provisionOf(cast, canonicalJson(ownPolicy({ rules: [] }))), { BLOCKLIST: blocklist });
  const { stateDirectory, databaseUrl, provisioned, owner, url } = plane;
  const pool = createPool({ url: databaseUrl, max: 4, onIdleError: () => undefined });
  const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'temporary');
  const settings = parseEnvironment({ DATABASE_URL: databaseUrl, COUNTERSIGN_STATE: stateDirectory });
  const parts = await joinConsoleParts({ settings, pool, workspace, keys: [await ownServiceKey(stateDirectory, 'console')], pinsOf: 'console' });
  const close = async (): Promise<void> => {
    await pool.end();
    await plane.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return planeAdapter({ url, provisioned, parts, owner, blocklist, close }, cast);
}
