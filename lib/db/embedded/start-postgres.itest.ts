import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPostgres, type EmbeddedPostgres } from '@/lib/db/embedded/start-postgres';

let parent: string;
let directory: string;
const servers: EmbeddedPostgres[] = [];

beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'countersign-postgres-'));
  directory = path.join(parent, 'state', 'postgres');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  fs.rmSync(parent, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ directory });
  servers.push(server);
  return server;
}

async function ask(server: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows[0] && Object.values(rows[0])[0];
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  test('the first start makes the data directory, the next one goes on with what it holds', async () => {
    const first = await start();
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS value');
    await first.stop();
    expect(await ask(await start(), 'SELECT value FROM kept')).toBe(42);
  });

  test('what was committed survives the killing of the server', async () => {
    const first = await start();
    await ask(first, 'CREATE TABLE kept AS SELECT 42 AS value');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second, 'SELECT value FROM kept')).toBe(42);
  });

  test('of several first starts at once one makes the directory and all use one server', async () => {
    const started = await Promise.all([start(), start(), start()]);
    expect(new Set(started.map((server) => server.pid)).size).toBe(1);
    expect(started.filter((server) => !server.adopted)).toHaveLength(1);
  });

  test('every commit is on disk before it is answered', async () => {
    const server = await start();
    expect(await ask(server, 'SHOW fsync')).toBe('on');
    expect(await ask(server, 'SHOW synchronous_commit')).toBe('on');
  });

  test('text and its order do not depend on the language of the host', async () => {
    vi.stubEnv('LC_ALL', 'no_SUCH.locale');
    const server = await start();
    expect(await ask(server, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(server, "SELECT upper('é')")).toBe('É');
    expect(await ask(server, "SELECT 'Z' < 'a'")).toBe(true);
  });

  test('the remains of an initialisation that was killed are removed', async () => {
    const remains = `${directory}.init-${String(unusedPid)}-0011aabb`;
    fs.mkdirSync(remains, { recursive: true });
    fs.writeFileSync(path.join(remains, 'PG_VERSION'), '18');
    await start();
    expect(fs.existsSync(remains)).toBe(false);
  });

  test('a lock file that names a foreign process does not block the start', async () => {
    await (await start()).stop();
    const lock = [process.pid, directory, 0, 5432, '', '127.0.0.1', '0 0', 'ready   ', ''].join('\n');
    fs.writeFileSync(path.join(directory, 'postmaster.pid'), lock);
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await ask(server, 'SELECT 1')).toBe(1);
  });

  test('the password is readable by its owner alone and needed', async () => {
    const server = await start();
    expect(fs.statSync(path.join(directory, 'countersign.password')).mode & 0o077).toBe(0);
    const url = new URL(server.url);
    url.password = 'wrong';
    await expect(new pg.Client({ connectionString: url.href }).connect()).rejects.toThrow(/password authentication failed/);
  });
});

/** Above the largest number the kernel gives out. */
const unusedPid = 4_194_305;
