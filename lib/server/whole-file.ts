import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export type Draft = { commit(bytes: Uint8Array): Promise<void>; discard(): Promise<void> };

/**
 * A file that appears whole or not at all. It is opened at once, so that a folder that cannot be written shows before anything else is
 * done; `commit` writes, syncs and renames. A crash leaves the old file, and at worst a draft beside it.
 */
export async function draftFile(file: string, mode: number): Promise<Draft> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.draft`;
  const handle = await open(temporary, 'wx', mode);
  return {
    commit: async (bytes) => {
      try {
        await handle.writeFile(bytes);
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
    },
    discard: async () => {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}

/** Replaces a file whole; see `draftFile`. */
export async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await (await draftFile(file, mode)).commit(Buffer.from(text));
}

/** Undefined when there is none. What cannot be read for another reason throws: it must not be mistaken for a first start. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}
