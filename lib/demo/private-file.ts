import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

/** Replaces a file whole, 0600: written beside it, synced, renamed, the directory synced. A crash leaves the old or the new one. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const directory = await open(path.dirname(file), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Undefined when there is none. What cannot be read for another reason throws. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** What the file holds; made and kept when there is none, so that every later start finds the same. */
export async function keptIn(file: string, make: () => string): Promise<string> {
  const kept = await readPrivateFile(file);
  if (kept !== undefined) return kept;
  const made = make();
  await writePrivateFile(file, made);
  return made;
}
