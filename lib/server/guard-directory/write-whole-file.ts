import { randomBytes } from 'node:crypto';
import fs from 'node:fs';

import { bytesEqual } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

import { codeOf, type AnchoredDirectory } from './anchored-directory';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = fs.constants;

type Written = { readonly mode: number };

/**
 * A file that appears whole or not at all, with this mode and no other. Written to a name nobody knows, its mode set (umask has a say in
 * the first one), synced, renamed, and what stands there then is looked at again. A crash leaves the old file, and at worst a hidden draft.
 */
export function writeWholeFile(directory: AnchoredDirectory, name: string, bytes: Uint8Array, mode: number): Result<Written> {
  const draft = `.${name}.${randomBytes(8).toString('hex')}`;
  try {
    const inode = writeDraft(directory, draft, bytes, mode);
    fs.renameSync(directory.entry(draft), directory.entry(name));
    const found = fs.lstatSync(directory.entry(name));
    if (found.ino !== inode || (found.mode & 0o7777) !== mode || found.size !== bytes.length) {
      return fail('unavailable', `${name} is not as it was written: mode ${octal(found.mode)}, ${String(found.size)} bytes.`);
    }
    return ok({ mode: found.mode & 0o7777 });
  } catch (cause) {
    return fail('unavailable', `${name} could not be written to ${directory.path} (${codeOf(cause) ?? String(cause)}).`, { cause });
  } finally {
    fs.rmSync(directory.entry(draft), { force: true });
  }
}

/** The same for what is written once and never again: it is there already with these bytes, or it is a fault. Synced, and the directory too. */
export function keepFile(directory: AnchoredDirectory, name: string, bytes: Uint8Array, mode: number): Result<Written> {
  const there = fs.lstatSync(directory.entry(name), { throwIfNoEntry: false });
  if (there?.isFile() === true && bytesEqual(fs.readFileSync(directory.entry(name)), bytes)) return ok({ mode: there.mode & 0o7777 });
  if (there !== undefined) return fail('conflict', `${name} is there already, with other bytes.`);
  const written = writeWholeFile(directory, name, bytes, mode);
  if (written.ok) syncDirectory(directory);
  return written;
}

/** After a crash of the machine a rename counts only once its directory is on disk. */
export function syncDirectory(directory: AnchoredDirectory): void {
  const fd = fs.openSync(directory.self(), O_RDONLY | O_DIRECTORY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function writeDraft(directory: AnchoredDirectory, draft: string, bytes: Uint8Array, mode: number): number {
  const fd = fs.openSync(directory.entry(draft), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
    fs.fchmodSync(fd, mode);
    fs.fsyncSync(fd);
    return fs.fstatSync(fd).ino;
  } finally {
    fs.closeSync(fd);
  }
}

export const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');
