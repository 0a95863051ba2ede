import fs from 'node:fs';
import path from 'node:path';

import type { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { stateOfWorkspaces } from '@/lib/db/workspace-state';
import { randomIds } from '@/lib/server/random-ids';
import type { WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

/** The name of the workspace and of the file in the state directory by which bench data is told from somebody's evidence. */
export const benchDatabaseName = 'bench-data';

/** Nothing is written where anything lies that this command did not make: made-up receipts must never stand among real ones. */
export function refusalOfState(stateDirectory: string): Fault | undefined {
  if (!fs.existsSync(stateDirectory) || fs.readdirSync(stateDirectory).length === 0) return undefined;
  if (fs.existsSync(path.join(stateDirectory, benchDatabaseName))) return undefined;
  const refused = fail('conflict', `${stateDirectory} is not empty.`, { fix: 'Name a directory that does not exist yet.' });
  return refused.error;
}

/** The bench's own workspace, made when the database has none. `conflict` when there is another, or one that is filled otherwise. */
export async function claimBenchWorkspace(pool: ReturnType<typeof createPool>, receipts: number): Promise<Result<{ readonly workspace: WorkspaceId; readonly isFilled: boolean }>> {
  const found = await stateOfWorkspaces(pool);
  const stranger = found.find(({ name }) => name !== benchDatabaseName);
  if (stranger) return fail('conflict', `The database has the workspace ${stranger.name}.`, { fix: 'Name an empty database.' });
  const size = found[0]?.size ?? 0n;
  if (size !== 0n && size !== BigInt(receipts)) {
    return fail('conflict', `The database holds bench data of ${String(size)} receipts.`, { fix: 'Remove it, or ask for as many.' });
  }
  return ok({ workspace: await openWorkspace(pool, randomIds().make('workspace'), benchDatabaseName), isFilled: size !== 0n });
}
