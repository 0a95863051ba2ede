import pg from 'pg';

/**
 * Makes a database unless it exists, and returns its connection string. With a template the new one is a copy of it, made on disk;
 * nobody may be connected to the template meanwhile.
 */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<string> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    const copy = template === undefined ? '' : ` TEMPLATE ${client.escapeIdentifier(template)}`;
    try {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}${copy}`);
    } catch (error) {
      // Two first starts at once: the other one made it between the question and the command.
      if (!(error instanceof pg.DatabaseError && error.code === '42P04')) throw error;
    }
  });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database and the connections to it. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
