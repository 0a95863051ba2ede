import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from '@/lib/db/embedded/binaries';
import type { RunAs } from '@/lib/db/embedded/run-as';

export const databaseUser = 'countersign';

const passwordFile = 'countersign.password';

/** Settings no environment of the host may change: text is UTF-8, and sorting follows code points on every machine. */
const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

/**
 * Makes the data directory if it does not exist and returns the server's password.
 *
 * A process killed in the middle leaves a half-made directory under another name, never one that looks finished: the last step is the
 * rename. Of two first starts one wins it; the loser drops its own and uses the winner's.
 */
export async function initialise(directory: string, binaries: PostgresBinaries, as: RunAs): Promise<string> {
  if (!fs.existsSync(directory)) await create(directory, binaries, as);
  const owner = fs.statSync(directory).uid;
  if (as.ownerUid >= 0 && owner !== as.ownerUid) {
    throw new Error(
      `The database in ${directory} belongs to user id ${String(owner)}, but would be run by ${String(as.ownerUid)}. ` +
        'Start Countersign as the user who made it, or choose another COUNTERSIGN_STATE.',
    );
  }
  return fs.readFileSync(path.join(directory, passwordFile), 'utf8').trim();
}

async function create(directory: string, binaries: PostgresBinaries, as: RunAs): Promise<void> {
  fs.mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
  removeAbandoned(directory);
  const made = `${directory}.init-${String(process.pid)}-${randomBytes(4).toString('hex')}`;
  const password = `${made}.password`;
  fs.writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  try {
    if (as.chown) fs.chownSync(password, as.ownerUid, as.ownerUid);
    await runInitdb([
      ...as.prefix,
      binaries.initdb,
      '-D',
      made,
      '-U',
      databaseUser,
      '--auth=scram-sha-256',
      `--pwfile=${password}`,
      '--no-instructions',
      ...locale,
    ]);
    fs.renameSync(password, path.join(made, passwordFile));
    try {
      fs.renameSync(made, directory);
    } catch (error) {
      if (!fs.existsSync(directory)) throw error;
    }
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
    fs.rmSync(password, { force: true });
  }
}

/** What an initialisation that was killed left behind; one that still runs belongs to a live process and stays. */
function removeAbandoned(directory: string): void {
  const start = `${path.basename(directory)}.init-`;
  for (const name of fs.readdirSync(path.dirname(directory))) {
    if (!name.startsWith(start)) continue;
    const pid = Number(name.slice(start.length).split('-')[0]);
    if (isAlive(pid)) continue;
    fs.rmSync(path.join(path.dirname(directory), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function runInitdb(argv: readonly string[]): Promise<void> {
  const [command = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: serverEnvironment() });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-4000)));
    child.once('error', (cause) => {
      reject(new Error(`Cannot run ${command}: ${cause.message}`, { cause }));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The database could not be initialised (initdb ended with ${String(code)}): ${complaint.trim()}`));
    });
  });
}

/** A bogus locale or time zone of the host must not reach the server. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  return {
    ...(process.env['PATH'] === undefined ? {} : { PATH: process.env['PATH'] }),
    LC_ALL: 'C',
    TZ: 'UTC',
    NODE_ENV: process.env.NODE_ENV,
  };
}
