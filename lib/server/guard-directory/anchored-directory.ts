import fs from 'node:fs';
import path from 'node:path';

import { fail, ok, type Result } from '@/lib/shared/result';

/**
 * A directory that is held, not named. `entry(name)` is a path to that entry of this very directory, whatever has been renamed or put in
 * the place of its path meanwhile.
 */
export type AnchoredDirectory = {
  /** As a person would write it. */
  readonly path: string;
  readonly uid: number;
  readonly mode: number;
  readonly entry: (name: string) => string;
  /** The directory itself: for listing, syncing, changing its mode. */
  readonly self: () => string;
  readonly close: () => void;
};

/** Opens a directory only to reach what is in it, which needs no right to list it. Linux; Node has no name for it. */
const O_PATH = 0o10000000;
const heldBy = '/proc/self/fd';

/**
 * Walks from the root of the file system, one component at a time, and refuses a symbolic link at any of them: with one, whoever may
 * change the link says which directory is guarded. Relative paths are taken from the working directory.
 */
export function openAnchored(directory: string): Result<AnchoredDirectory> {
  const absolute = path.resolve(/* turbopackIgnore: true */ directory);
  let held = anchor(path.parse(absolute).root);
  for (const component of absolute.split(path.sep).filter((part) => part !== '')) {
    if (!held.ok) return held;
    const next = openChild(held.value, component);
    held.value.close();
    held = next;
  }
  return held;
}

/** A directory in a held one; a symbolic link, or anything else than a directory, is refused. */
export function openChild(parent: AnchoredDirectory, name: string): Result<AnchoredDirectory> {
  return anchor(parent.entry(name), path.join(parent.path, name));
}

function anchor(at: string, shown = at): Result<AnchoredDirectory> {
  try {
    return ok(fs.existsSync(heldBy) ? held(at, shown) : compared(at, shown));
  } catch (cause) {
    return fail(codeOf(cause) === 'ENOENT' ? 'not_found' : 'invalid_input', `${shown} ${whyNot(cause, at)}.`, { cause });
  }
}

/** The kernel keeps the directory for as long as the descriptor is open; paths go through the descriptor. */
function held(at: string, shown: string): AnchoredDirectory {
  const fd = fs.openSync(at, O_PATH | fs.constants.O_DIRECTORY | fs.constants.O_NOFOLLOW);
  const { uid, mode } = fs.fstatSync(fd);
  const self = `${heldBy}/${String(fd)}`;
  return { path: shown, uid, mode: mode & 0o7777, entry: (name) => `${self}/${plain(name)}`, self: () => self, close: () => fs.closeSync(fd) };
}

/** Systems without such paths: each use compares the directory with the one that was looked at. A swap in the instant after that is possible there. */
function compared(at: string, shown: string): AnchoredDirectory {
  const looked = fs.lstatSync(at);
  if (!looked.isDirectory()) throw Object.assign(new Error('Not a directory.'), { code: looked.isSymbolicLink() ? 'ELOOP' : 'ENOTDIR' });
  const self = (): string => {
    const now = fs.lstatSync(at);
    if (!now.isDirectory() || now.ino !== looked.ino || now.dev !== looked.dev) throw new Error(`${shown} was replaced while it was used.`);
    return at;
  };
  return { path: shown, uid: looked.uid, mode: looked.mode & 0o7777, entry: (name) => path.join(self(), plain(name)), self, close: () => undefined };
}

/** INVARIANT: an entry is one component, so nothing leads out of the directory. Callers make names up or have checked them. */
function plain(name: string): string {
  if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) throw new Error('A name of a directory entry is one component.');
  return name;
}

function whyNot(cause: unknown, at: string): string {
  switch (codeOf(cause)) {
    case 'ENOENT':
      return 'does not exist';
    case 'EACCES':
      return 'may not be entered by this user';
    case 'ELOOP':
    case 'ENOTDIR':
      // With O_DIRECTORY a symbolic link is reported as no directory; only the words depend on this look.
      return fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true ? 'is a symbolic link, and none may lead to guarded state' : 'is not a directory';
    default:
      return `cannot be opened (${codeOf(cause) ?? 'unknown'})`;
  }
}

export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
