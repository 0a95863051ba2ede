import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresBinaries, type PostgresBinaries } from '@/lib/db/embedded/binaries';
import { freePort } from '@/lib/db/embedded/free-port';
import { databaseUser, initialise, serverEnvironment } from '@/lib/db/embedded/initialise';
import { isServing, readPostmaster, removePostmasterFile, type Postmaster } from '@/lib/db/embedded/postmaster-file';
import { runAs, untilParentDies, type RunAs } from '@/lib/db/embedded/run-as';

export type EmbeddedPostgres = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Another process started it and ends it; `stop` here does nothing. */
  readonly adopted: boolean;
  /** Resolves when the server is gone, whoever ended it. */
  readonly exited: Promise<void>;
  /** Fast shutdown: open transactions are rolled back, committed ones are on disk. */
  stop(): Promise<void>;
};

export type StartOptions = {
  /** The data directory; made at the first start. */
  readonly directory: string;
  /** Tried first, so that a restarted server is found where the last one was. */
  readonly port?: number;
  /** Server settings beyond the defaults, as `-c name=value`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/**
 * The indexes of the log's newest partition have to fit: their entries go in at random places, and each page that is not at hand is read
 * first. At most an eighth of the machine's memory.
 */
const sharedMb = Math.max(32, Math.min(512, Math.floor(os.totalmem() / 8 / 2 ** 20)));

const startTimeoutMs = 20_000;
const pollMs = 20;

/**
 * Starts the PostgreSQL server of a data directory, or adopts the one that already runs on it. It listens on the loopback address only.
 *
 * A server that is coming up or going down is waited for. One that was killed is replaced; PostgreSQL then recovers from its log, and its
 * last worker processes may hold the shared memory for a moment, so the start is tried again until the time is over.
 */
export async function startPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const directory = path.resolve(options.directory);
  const binaries = postgresBinaries();
  const as = runAs();
  const password = await initialise(directory, binaries, as);
  const url = (port: number): string => `postgresql://${databaseUser}:${password}@127.0.0.1:${String(port)}/postgres`;
  const deadline = Date.now() + startTimeoutMs;
  let complaint = 'it gave no reason';

  while (Date.now() < deadline) {
    const present = readPostmaster(directory);
    if (present && isServing(present, directory)) {
      if (present.status === 'ready') return adopt(present, directory, url(present.port));
      await pause(pollMs);
      continue;
    }
    if (present) removePostmasterFile(directory);
    const port = await freePort(options.port);
    const server = launch(directory, port, binaries, as, options.settings ?? {});
    const ready = await untilReady(server, directory, deadline);
    if (ready) return own(server, ready, url(ready.port));
    complaint = server.complaint();
    await pause(200);
  }
  throw new Error(`The database in ${directory} did not start: ${complaint}`);
}

type Server = { readonly child: ChildProcess; readonly exited: Promise<void>; isGone(): boolean; complaint(): string };

function launch(
  directory: string,
  port: number,
  binaries: PostgresBinaries,
  as: RunAs,
  settings: Readonly<Record<string, string>>,
): Server {
  const options = {
    listen_addresses: '127.0.0.1',
    // No socket file: a stale lock in a shared folder would block the start, and TCP is as fast here.
    unix_socket_directories: '',
    max_connections: '100',
    log_min_messages: 'warning',
    shared_buffers: `${String(sharedMb)}MB`,
    ...settings,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...as.prefix, ...untilParentDies(), binaries.postgres, '-D', directory, '-p', String(port), ...flags];
  // Its own process group: Ctrl-C in the terminal reaches the supervisor alone, which ends the server after the others.
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true, env: serverEnvironment() });
  let complaint = '';
  let gone = false;
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-4000)));
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      complaint += error.message;
      gone = true;
      resolve();
    });
    child.once('exit', () => {
      gone = true;
      resolve();
    });
  });
  return { child, exited, isGone: () => gone, complaint: () => complaint.trim() };
}

async function untilReady(server: Server, directory: string, deadline: number): Promise<Postmaster | undefined> {
  while (!server.isGone() && Date.now() < deadline) {
    const postmaster = readPostmaster(directory);
    if (postmaster?.status === 'ready' && isServing(postmaster, directory)) return postmaster;
    await pause(pollMs);
  }
  if (!server.isGone()) server.child.kill('SIGKILL');
  await server.exited;
  return undefined;
}

function own(server: Server, postmaster: Postmaster, url: string): EmbeddedPostgres {
  // The server must not keep a command alive that has finished its work: the command's end is the server's end.
  server.child.unref();
  for (const stream of [server.child.stdin, server.child.stderr]) if (stream instanceof Socket) stream.unref();
  const stop = async (): Promise<void> => {
    server.child.ref();
    if (!server.isGone()) signal(postmaster.pid, 'SIGINT');
    await server.exited;
  };
  return { url, port: postmaster.port, pid: postmaster.pid, adopted: false, exited: server.exited, stop };
}

function adopt(postmaster: Postmaster, directory: string, url: string): EmbeddedPostgres {
  const exited = async (): Promise<void> => {
    while (isServing(postmaster, directory)) await pause(200, undefined, { ref: false });
  };
  return { url, port: postmaster.port, pid: postmaster.pid, adopted: true, exited: exited(), stop: () => Promise.resolve() };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
