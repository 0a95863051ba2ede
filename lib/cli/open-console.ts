import fs from 'node:fs';
import path from 'node:path';

import { serviceKeyAt } from '@/lib/authority/service-keys';
import { openDatabase } from '@/lib/cli/open-database';
import type { PinStore } from '@/lib/ports/pin-store';
import { createStores } from '@/lib/db/create-stores';
import { createPool } from '@/lib/db/pool';
import { openWorkspace } from '@/lib/db/workspaces';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { parseEnvironment, type Environment } from '@/lib/server/env';
import { filePinStore } from '@/lib/server/file-pin-store';
import { fileRecoveryMemory } from '@/lib/server/file-recovery-memory';
import { fileTightenedMemory } from '@/lib/server/file-tightened-memory';
import { joinConsoleParts } from '@/lib/server/join-console-parts';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { existingServiceKeys } from '@/lib/server/service-keys';
import { verifySignature } from '@/lib/server/verify-signature';
import { authorityInForce } from '@/lib/services/authority-in-force';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import type { InForce } from '@/lib/services/in-force';
import type { WorkspaceId } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Terminal } from '@/lib/cli/command';

export type OpenWorkspace = {
  readonly settings: Environment;
  readonly pool: ReturnType<typeof createPool>;
  readonly workspace: WorkspaceId;
  readonly stores: ReturnType<typeof createStores>;
};

/** Whether the settings name a database that exists: a command that only looks must not make one. */
export const hasDatabase = ({ databaseUrl, stateDirectory }: Environment): boolean =>
  databaseUrl !== undefined || fs.existsSync(path.join(stateDirectory, 'postgres', 'PG_VERSION'));

/** Opens the database of the settings for the time of `work`. Throws when there is none, or it cannot be opened. */
export async function withWorkspace<T>({ env }: Terminal, work: (open: OpenWorkspace) => Promise<T>): Promise<T> {
  const settings = parseEnvironment(env);
  if (!hasDatabase(settings)) {
    throw new Error(`There is no database in ${settings.stateDirectory}. Run "npm start" first, or set COUNTERSIGN_STATE or DATABASE_URL.`);
  }
  const database = await openDatabase(settings.stateDirectory, settings.databaseUrl);
  const pool = createPool({ url: database.url, max: 2, onIdleError: () => undefined });
  try {
    const workspace = await openWorkspace(pool, randomIds().make('workspace'), 'default');
    return await work({ settings, pool, workspace, stores: createStores(pool, workspace) });
  } finally {
    await pool.end();
    await database.close();
  }
}

/** What is in force as far as the pins of the state directory vouch for it, or those that are given. */
export function lookAtAuthority({ settings, stores }: OpenWorkspace, pins?: PinStore): Promise<InForce> {
  return authorityInForce({
    authority: stores.authority,
    credentials: stores.credentials,
    log: stores.log,
    pins: pins ?? filePinStore({ stateDirectory: settings.stateDirectory, role: 'cli', rootPin: settings.rootPin }),
    cryptography: { verify: verifySignature, sha256: nodeSha256 },
    compile: compilePolicyText,
    recoveries: fileRecoveryMemory(settings.stateDirectory),
    tightened: fileTightenedMemory(settings.stateDirectory),
  }).refresh();
}

/**
 * The console's parts, for a command that leaves receipts. They are signed with the console's key, so the command runs on the host of
 * the console's state directory. Refused when the trust root does not delegate that key: its receipts would make every later export fail.
 */
export async function consoleParts(open: OpenWorkspace): Promise<Result<ConsoleParts>> {
  const { denied, root, refusal } = await lookAtAuthority(open);
  if (!root) return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root yet.', { fix: refusal?.fix ?? 'Set Countersign up first: "countersign set-up-link" prints the link.' });
  const keys = await existingServiceKeys(open.settings.stateDirectory, 'console', open.settings.consoleKey);
  const { size } = await open.stores.log.head();
  if (!keys?.some(({ id }) => serviceKeyAt(root.root, id, Number(size))?.role === 'console')) {
    return fail('forbidden', `The trust root delegates no key of ${open.settings.stateDirectory}: what it signed would not verify.`, {
      fix: 'Run the command where the console runs, with its COUNTERSIGN_STATE.',
    });
  }
  return ok(await joinConsoleParts({ ...open, keys, pinsOf: 'cli' }));
}
