import { readFile } from 'node:fs/promises';
import path from 'node:path';

import pg from 'pg';

import type { Demo } from './demo';

/** The database of a running demo in the hands of whoever owns it: what no program of the product could do. Closed by the caller. */
export async function ownedDatabase({ stateDirectory }: Pick<Demo, 'stateDirectory'>): Promise<pg.Client> {
  const folder = path.join(stateDirectory, 'postgres');
  const [password, postmaster] = await Promise.all([readFile(path.join(folder, 'countersign.password'), 'utf8'), readFile(path.join(folder, 'postmaster.pid'), 'utf8')]);
  const client = new pg.Client({ host: '127.0.0.1', port: Number(postmaster.split('\n')[3]), user: 'countersign', password: password.trim(), database: 'countersign' });
  await client.connect();
  // Triggers refuse every change of the log. They protect from accidents, and an owner of the database can put them to sleep.
  await client.query(`SET session_replication_role = 'replica'`);
  return client;
}
