import fs from 'node:fs';

import { fail, ok, type Result } from '@/lib/shared/result';

import { codeOf, type AnchoredDirectory } from './anchored-directory';

export type GuardedFile = { readonly bytes: Uint8Array; readonly uid: number; readonly mode: number; readonly inode: number; readonly device: number };

/** Who may have written the file, and how large it may be. */
export type FileTerms = { readonly uids: readonly number[]; readonly maxBytes: number };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/**
 * Opens once, judges what was opened, reads it once. Neither a link nor a FIFO is followed or waited for, and whatever happens to the name
 * afterwards changes nothing: only these bytes are used. Refused: anything but a regular file, a second hard link (its other name may
 * lie where somebody else writes), another user's file, one over the bound.
 */
export function readGuardedFile(directory: AnchoredDirectory, name: string, terms: FileTerms): Result<GuardedFile> {
  let fd: number;
  try {
    fd = fs.openSync(directory.entry(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    return fail(codeOf(cause) === 'ENOENT' ? 'not_found' : 'invalid_input', `${name} ${whyNot(codeOf(cause))}.`, { cause });
  }
  try {
    const { uid, mode, nlink, size, ino: inode, dev: device } = fs.fstatSync(fd);
    if ((mode & fs.constants.S_IFMT) !== fs.constants.S_IFREG) return fail('invalid_input', `${name} is not a regular file.`);
    if (nlink !== 1) return fail('invalid_input', `${name} has ${String(nlink)} hard links; it may have one.`);
    if (!terms.uids.includes(uid)) return fail('forbidden', `${name} belongs to uid ${String(uid)}, which may not write it.`);
    if (size > terms.maxBytes) return tooLarge(name, terms.maxBytes);
    const bytes = readUpTo(fd, terms.maxBytes + 1);
    // It may have grown while it was read.
    if (bytes.length > terms.maxBytes) return tooLarge(name, terms.maxBytes);
    return ok({ bytes, uid, mode: mode & 0o7777, inode, device });
  } finally {
    fs.closeSync(fd);
  }
}

function readUpTo(fd: number, most: number): Uint8Array {
  const buffer = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const read = fs.readSync(fd, buffer, length, most - length, null);
    length += read;
    if (read === 0 || length === most) return buffer.slice(0, length);
  }
}

const tooLarge = (name: string, bound: number): Result<never> => fail('too_large', `${name} is over ${String(bound)} bytes.`);

function whyNot(code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist';
    case 'ELOOP':
      return 'is a symbolic link';
    case 'EACCES':
      return 'may not be read by this user';
    case 'ENXIO':
      return 'is not a regular file';
    default:
      return `cannot be opened (${code ?? 'unknown'})`;
  }
}
