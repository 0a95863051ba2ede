import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** The lock that Prisma's own tool takes, so that both exclude each other. It ends with the connection, also when this process dies. */
const prismaLock = 72_707_369;

const historyTable = `
  CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

/**
 * Brings a database to the schema of this version and returns the names it applied. It keeps Prisma's history table, so
 * `prisma migrate deploy` may be used instead.
 *
 * INVARIANT: each migration and its row of history commit together or not at all; a crash in between leaves the database as before it.
 * Several processes may start at once: they take turns, and the later ones find nothing to do.
 *
 * Throws when an applied migration was edited, failed halfway under another tool, or is unknown here (a newer version made the database):
 * running on such a schema would read rows that mean something else.
 */
export async function migrate(url: string, directory: string): Promise<string[]> {
  const migrations = readMigrations(directory);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [prismaLock]);
    await client.query(historyTable);
    const applied = await readHistory(client);
    refuseForeignHistory(applied, migrations);
    const pending = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function readMigrations(directory: string): Migration[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => {
      const sql = fs.readFileSync(path.join(directory, entry.name, 'migration.sql'), 'utf8');
      return { name: entry.name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Applied = { readonly checksum: string; readonly finished: boolean };

async function readHistory(client: pg.Client): Promise<Map<string, Applied>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    'SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  );
  return new Map(rows.map((row) => [row.migration_name, { checksum: row.checksum, finished: row.finished }]));
}

function refuseForeignHistory(applied: ReadonlyMap<string, Applied>, migrations: readonly Migration[]): void {
  for (const [name, { checksum, finished }] of applied) {
    const known = migrations.find((migration) => migration.name === name);
    if (!known) throw new Error(`The database has migration ${name}, which this version does not know. Start the newer version.`);
    if (!finished) throw new Error(`Migration ${name} failed halfway. Resolve it with "prisma migrate resolve", then start again.`);
    if (known.checksum !== checksum) throw new Error(`Migration ${name} was edited after it was applied. Restore its file.`);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count) VALUES ($1, $2, now(), $3, 1)',
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${migration.name} failed; nothing of it was kept.`, { cause });
  }
}
