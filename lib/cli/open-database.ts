import path from 'node:path';
import { createDatabase } from '@/lib/db/create-database';
import { startPostgres } from '@/lib/db/embedded/start-postgres';
import { migrate } from '@/lib/db/migrate';
import { prepareStateDirectory } from '@/lib/cli/supervisor/state-directory';
import { databaseName } from '@/lib/cli/supervisor/managed-database';
import { projectRoot } from '@/lib/server/project-root';

export type OpenDatabase = { readonly url: string; close(): Promise<void> };

/**
 * The migrated database of a state directory, for a command that runs beside `npm start` or without it: the server that runs is used, else
 * one is started and ended with `close`. With `databaseUrl` that server is used and no other.
 */
export async function openDatabase(stateDirectory: string, databaseUrl: string | undefined): Promise<OpenDatabase> {
  const migrations = path.join(projectRoot(), 'prisma', 'migrations');
  if (databaseUrl !== undefined) {
    await migrate(databaseUrl, migrations);
    return { url: databaseUrl, close: () => Promise.resolve() };
  }
  prepareStateDirectory(stateDirectory);
  const server = await startPostgres({ directory: path.join(stateDirectory, 'postgres') });
  try {
    const url = await createDatabase(server.url, databaseName);
    await migrate(url, migrations);
    return { url, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
