import fs from 'node:fs';
import path from 'node:path';

/** What a running server writes about itself into `postmaster.pid`; the same in every language, unlike its log. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly status: 'starting' | 'ready' | 'stopping' };

/** The server of this data directory as its lock file tells it; undefined when there is none or it is being written. */
export function readPostmaster(directory: string): Postmaster | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(directory, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const word = (lines[7] ?? '').trim();
  const status = word === 'ready' ? 'ready' : word === 'stopping' ? 'stopping' : 'starting';
  return { pid, port: Number(lines[3]), status };
}

/**
 * Whether that process is still this directory's server. A dead one may linger as a zombie, and its number may have gone to an unrelated
 * process of the same user, which PostgreSQL itself would take for a second server and refuse to start.
 */
export function isServing(postmaster: Postmaster, directory: string): boolean {
  try {
    process.kill(postmaster.pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    if (/^State:\s+Z/m.test(fs.readFileSync(`/proc/${String(postmaster.pid)}/status`, 'utf8'))) return false;
    return fs
      .readFileSync(`/proc/${String(postmaster.pid)}/cmdline`, 'utf8')
      .split('\0')
      .includes(directory);
  } catch {
    return false;
  }
}

/** Removes the lock file of a server that is known to be dead. */
export function removePostmasterFile(directory: string): void {
  fs.rmSync(path.join(directory, 'postmaster.pid'), { force: true });
}
