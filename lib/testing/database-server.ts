import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createDatabase } from '@/lib/db/create-database';
import { startPostgres } from '@/lib/db/embedded/start-postgres';
import { migrate } from '@/lib/db/migrate';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the right to make databases. */
    adminUrl: string;
  }
}

/** The migrated database that every test's own is a copy of. */
export const templateName = 'countersign_template';

/** One real PostgreSQL for a run of the integration tests, in a directory that goes with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-test-'));
  const server = await startPostgres({ directory: path.join(directory, 'postgres'), settings: { max_connections: '200' } });
  const template = await createDatabase(server.url, templateName);
  await migrate(template, path.resolve(import.meta.dirname, '../../prisma/migrations'));
  project.provide('adminUrl', server.url);
  return async () => {
    await server.stop();
    fs.rmSync(directory, { recursive: true, force: true });
  };
}
