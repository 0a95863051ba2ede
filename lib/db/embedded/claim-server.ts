import pg from 'pg';

/** Any fixed number of our own: the right to supervise the programs on this server. */
const supervisorLock = 5_226_117_384;

export type Claim = { release(): Promise<void> };

/**
 * Claims an embedded server for one supervisor; undefined when another one holds it. The claim is a lock of a database session, so it
 * ends with the process that holds it, however that dies, and no stale file can ever block a start.
 */
export async function claimServer(url: string): Promise<Claim | undefined> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  // The server's own end is noticed elsewhere; without a listener the lost connection would end this process.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ claimed: boolean }>('SELECT pg_try_advisory_lock($1) AS claimed', [supervisorLock]);
  if (rows[0]?.claimed === true) return { release: () => client.end() };
  await client.end();
  return undefined;
}
