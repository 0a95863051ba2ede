import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';

import { ownedDatabase } from './owned-database';
import { freePort, placeEnvironment, repository, type Product } from './product';

/** A further console on the database of a running product, as a replica is: a process, a port and sessions of its own. */
export type SecondConsole = { readonly console: string; readonly start: () => Promise<void>; readonly stop: () => Promise<void> };

export async function secondConsole(product: Product): Promise<SecondConsole> {
  const database = await ownedDatabase(product);
  const { user, password, host, port, database: name } = database;
  await database.end();
  const consolePort = await freePort();
  const console = `http://localhost:${String(consolePort)}`;
  const env: NodeJS.ProcessEnv = {
    ...placeEnvironment({ ...product, consolePort }), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NEXTAUTH_URL: console, NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
    DATABASE_URL: `postgresql://${user ?? ''}:${encodeURIComponent(password ?? '')}@${host}:${String(port)}/${name ?? ''}`,
  };
  let child: ChildProcess | undefined;
  return {
    console,
    start: async () => {
      const started = spawn(process.execPath, [path.join('node_modules', 'next', 'dist', 'bin', 'next'), 'start', '--hostname', '127.0.0.1', '--port', String(consolePort)], { cwd: repository, env, stdio: 'ignore' });
      child = started;
      for (let left = 300; left > 0; left--) {
        if (started.exitCode !== null) throw new Error(`The second console ended with ${String(started.exitCode)}.`);
        if ((await fetch(`${console}/api/health`).catch(() => null))?.ok === true) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error('The second console does not answer.');
    },
    stop: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
