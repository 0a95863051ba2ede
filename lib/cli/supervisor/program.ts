import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A Node program under the supervisor: `node <args>` with these variables beside the supervisor's own. */
export type Program = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers 200 when the program can be used; without one it counts as ready as soon as it runs. */
  readonly healthUrl?: string;
  /** Its lines are for the person who started all this, and are shown without the program's name. */
  readonly speaks?: true;
};

export type Launch = {
  /** Absolute path of the repository's root; programs run in it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly write: (line: string) => void;
};

/**
 * Starts a program so that it ends with this process. It leads its own process group: Ctrl-C in the terminal reaches the supervisor
 * alone, which then ends its programs in order.
 */
export function launch(program: Program, { root, env, write }: Launch): ChildProcess {
  const preload = path.join(root, 'lib/cli/supervisor/leave-with-parent.mjs');
  const child = spawn(process.execPath, ['--enable-source-maps', '--import', preload, ...program.args], {
    cwd: root,
    env: { ...process.env, ...env, ...program.env, COUNTERSIGN_SUPERVISOR: String(process.pid) },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  // A child that dies closes its stdin; nothing is ever written to it.
  child.stdin.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      write(program.speaks ? line : `[${program.name}] ${line}`);
    });
  }
  return child;
}

/** Resolves with how the program ended, also when it could not be started. */
export function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(`code ${String(child.exitCode ?? child.signalCode)}`);
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `code ${String(code)}` : `signal ${signal}`);
    });
  });
}

/** Asks a program and what it started to end, and makes it after `graceMs`. */
export async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { pid } = child;
  const gone = ended(child);
  child.kill('SIGTERM');
  const timer = setTimeout(() => {
    killGroup(pid);
  }, graceMs);
  await gone;
  clearTimeout(timer);
  // A development server may leave workers of its group behind.
  killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
