import { randomBytes } from 'node:crypto';
import fs from 'node:fs';

import { fail, type Result } from '@/lib/shared/result';

import { codeOf, type AnchoredDirectory } from './anchored-directory';

const lockFile = '.lock';

/**
 * One owner's process changes the managed side at a time: console and command line would otherwise both go from revision 1 to revision 2, and
 * the second would take back what the first allowed. The lock names its holder; one whose holder is gone is taken over. Nobody waits for it.
 */
export function withGuardLock<T>(managed: AnchoredDirectory, work: () => Result<T>): Result<T> {
  const own = `.lock.${randomBytes(8).toString('hex')}`;
  try {
    fs.writeFileSync(managed.entry(own), holder(process.pid), { flag: 'wx', mode: 0o600 });
    if (!take(managed, own)) return fail('conflict', `Another process is changing ${managed.path}. Try again; if none is, remove ${lockFile} there.`);
    try {
      return work();
    } finally {
      fs.rmSync(managed.entry(lockFile), { force: true });
    }
  } catch (cause) {
    return fail('unavailable', `${managed.path} cannot be written (${codeOf(cause) ?? String(cause)}).`, { cause });
  } finally {
    fs.rmSync(managed.entry(own), { force: true });
  }
}

/** A hard link either makes the name or finds it taken. */
function take(managed: AnchoredDirectory, own: string): boolean {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      fs.linkSync(managed.entry(own), managed.entry(lockFile));
      return true;
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause;
    }
    if (!removeAbandoned(managed)) return false;
  }
  return false;
}

/**
 * The abandoned lock is moved away before it is removed: of two processes that found it, one moves it. Should a third have taken the lock in
 * that instant, what was moved is not what was read, and is put back.
 */
function removeAbandoned(managed: AnchoredDirectory): boolean {
  const aside = managed.entry(`.lock.${randomBytes(8).toString('hex')}`);
  try {
    const found = fs.readFileSync(managed.entry(lockFile), 'utf8');
    if (isAlive(found)) return false;
    fs.renameSync(managed.entry(lockFile), aside);
    if (fs.readFileSync(aside, 'utf8') !== found) fs.linkSync(aside, managed.entry(lockFile));
    fs.rmSync(aside, { force: true });
    return true;
  } catch (cause) {
    // Somebody else was quicker; the next try tells who has it now.
    if (codeOf(cause) === 'ENOENT') return true;
    throw cause;
  }
}

/** A process is its number and when it began: numbers are given out again. */
const holder = (pid: number): string => `${String(pid)} ${beganAt(pid) ?? '-'}\n`;

function isAlive(text: string): boolean {
  const pid = Number(text.split(' ')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM') return false;
  }
  return holder(pid) === text;
}

/** In clock ticks since the machine began (proc(5), the 22nd field of `stat`; the name before it may have spaces). Undefined without /proc. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (cause) {
    if (codeOf(cause) !== undefined) return undefined;
    throw cause;
  }
}
