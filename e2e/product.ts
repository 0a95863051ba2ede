import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

export const repository = path.resolve(import.meta.dirname, '..');

/** How long a start may take, build and database included; how long an end may take. Milliseconds. */
const startMs = 100_000;
const stopMs = 25_000;

export type Place = { readonly stateDirectory: string; readonly consolePort: number; readonly planePort: number };

/** A Countersign as its users start it: a process of its own, on a state directory and ports that nothing else uses. */
export type Product = Place & {
  readonly console: string;
  readonly plane: string;
  /** Everything it has printed so far. */
  readonly printed: () => string;
  /** Resolves when it has printed that; rejects when it ends before. */
  readonly until: (said: RegExp) => Promise<RegExpExecArray>;
  readonly process: ChildProcess;
  /** Ends it as Ctrl-C or an init system would. Throws when it does not end well or leaves a process behind. */
  readonly stop: () => Promise<void>;
};

export async function freshPlace(): Promise<Place> {
  const [consolePort, planePort] = await Promise.all([freePort(), freePort()]);
  return { stateDirectory: await mkdtemp(path.join(os.tmpdir(), 'countersign-e2e-')), consolePort, planePort };
}

/** What a command of this place is told by its environment. */
export const placeEnvironment = (place: Place): NodeJS.ProcessEnv => {
  const { DATABASE_URL: _database, COUNTERSIGN_PIN: _pin, NEXTAUTH_URL: _url, HOST: _host, ...inherited } = process.env;
  return { ...inherited, COUNTERSIGN_STATE: place.stateDirectory, PORT: String(place.consolePort), PLANE_PORT: String(place.planePort) };
};

/** `npm start`, or with `demo` `npm run demo`; `settings` are what only this test sets. Resolves when all of it is up. */
export async function startProduct(mode: 'start' | 'demo', place: Place, settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  const args = ['lib/cli/start.mjs', ...(mode === 'demo' ? ['--demo'] : [])];
  const child = spawn(process.execPath, args, { cwd: repository, env: { ...placeEnvironment(place), ...settings }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const waiting = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    text += chunk.toString('utf8');
    for (const look of waiting) look();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);

  const until = (said: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = said.exec(text);
        if (found) settle(() => resolve(found));
      };
      const ended = (): void => settle(() => reject(new Error(`It ended before it said ${String(said)}:\n${text}`)));
      const late = setTimeout(() => settle(() => reject(new Error(`It has not said ${String(said)}:\n${text}`))), startMs);
      const settle = (finish: () => void): void => {
        clearTimeout(late);
        waiting.delete(look);
        child.removeListener('close', ended);
        finish();
      };
      waiting.add(look);
      child.once('close', ended);
      look();
    });
  const stop = async (): Promise<void> => {
    const running = child.exitCode === null && child.signalCode === null;
    const closed = running ? once(child, 'close', { signal: AbortSignal.timeout(stopMs) }) : Promise.resolve([child.exitCode]);
    child.kill('SIGTERM');
    const [code] = await closed.catch((cause: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`It did not end within ${String(stopMs)} ms:\n${text}`, { cause });
    });
    if (code !== 0) throw new Error(`It ended with ${String(code)}:\n${text}`);
    const left = await processesOf(place.stateDirectory);
    if (left.length > 0) throw new Error(`It left processes behind:\n${left.join('\n')}`);
  };

  const product: Product = {
    ...place,
    console: `http://localhost:${String(place.consolePort)}`,
    plane: `http://127.0.0.1:${String(place.planePort)}`,
    printed: () => text,
    until,
    process: child,
    stop,
  };
  try {
    await until(/Ctrl-C stops everything/);
  } catch (cause) {
    child.kill('SIGTERM');
    throw cause;
  }
  return product;
}

export const removePlace = async ({ stateDirectory }: Place): Promise<void> => await rm(stateDirectory, { recursive: true, force: true });

/** Processes that were told of this state directory, by environment or argument, as "pid command". Empty where there is no /proc. */
export async function processesOf(stateDirectory: string): Promise<readonly string[]> {
  if (!existsSync('/proc/self/environ')) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while one looks at it.
      const read = async (file: string) => await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      const [environment, command] = await Promise.all([read('environ'), read('cmdline')]);
      return environment.includes(stateDirectory) || command.includes(stateDirectory) ? [`${pid} ${command.replaceAll('\0', ' ')}`] : [];
    }),
  );
  return found.flat();
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
