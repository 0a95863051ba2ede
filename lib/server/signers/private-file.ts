import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** A private key in PEM has some hundred bytes. */
const maxBytes = 16 * 1024;

/**
 * The text of a file that only this user can read. Throws, naming the file and never its content, when it is a symbolic link or no
 * regular file, when anybody else may read or write it, or when it belongs to somebody else: then others have had the key as well.
 * Judged on the opened file, so that a path which changes meanwhile cannot pass another file off.
 */
export async function readPrivateFile(file: string): Promise<string> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK, opening a pipe that somebody put here would wait for ever.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (hasCode(cause, 'ELOOP')) throw new Error(`${file} is a symbolic link: a private key is read from the file itself.`, { cause });
    throw cause;
  }
  try {
    const { mode, uid, size, ...stats } = await handle.stat();
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || stats.nlink !== 1) throw new Error(`${file} is no ordinary file with one name.`);
    if ((mode & 0o077) !== 0) throw new Error(`${file} has mode ${shown}: others may use the key. Set it to 0600, and think about replacing the key.`);
    if (process.geteuid && uid !== process.geteuid()) throw new Error(`${file} belongs to user ${String(uid)}, not to the user that this runs as.`);
    if (size > maxBytes) throw new Error(`${file} has ${String(size)} bytes: that is no private key.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Undefined when there is none; throws as `readPrivateFile` does for one that must not be used. */
export async function readPrivateIfThere(file: string): Promise<string | undefined> {
  try {
    return await readPrivateFile(file);
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return undefined;
    throw cause;
  }
}

const hasCode = (cause: unknown, code: string): boolean => cause instanceof Error && 'code' in cause && cause.code === code;
