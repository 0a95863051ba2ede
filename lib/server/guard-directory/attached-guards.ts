import fs from 'node:fs';
import path from 'node:path';

import { guardFolders } from '@/lib/authority/guard-directory/guard-files';
import type { GuardDirectories, SeenGuardDirectory } from '@/lib/ports/guard-directories';
import type { Digest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';

import { applyInDirectory } from './apply-in-directory';
import { readEnd } from './end-proposal';
import type { AttachedGuard } from './guard-settings';
import { readAllowlist, withGuardDirectory, type GuardDirectory } from './open-guard-directory';
import { readInbox } from './read-inbox';
import { rejectInDirectory } from './reject-in-directory';

/** How often each is looked at when the system tells of no change, milliseconds: some file systems never tell. */
const lookMs = 5000;

/** The directories of the settings, for a process that runs as `caller`. */
export function attachedGuards(attached: readonly AttachedGuard[], caller: number): GuardDirectories {
  const paths = new Map(attached.map(({ name, path: at }) => [name, at]));
  const inside = <T>(name: string, work: (directory: GuardDirectory) => Result<T>): Result<T> => {
    const at = paths.get(name);
    return at === undefined ? fail('not_found', `No guard directory ${name} is attached.`) : withGuardDirectory(at, work);
  };
  return {
    uid: caller,
    attached,
    look: (name) => inside(name, (directory) => see(directory, caller)),
    end: (name, id) => inside(name, (directory) => readEnd(directory, id)),
    apply: (name, id, at, signed) =>
      inside(name, (directory) => {
        const applied = applyInDirectory(directory, { id, caller, at, signed });
        if (applied.ok) return ok({ before: applied.value.before.digest, after: applied.value.after.digest, revision: applied.value.after.revision });
        const end = readEnd(directory, id);
        if (!end.ok || end.value?.result !== 'APPLIED' || end.value.signed?.proposal !== signed.proposal) return applied;
        return ok({ before: end.value.allowlist_sha256_before, after: end.value.allowlist_sha256_after, revision: end.value.revision });
      }),
    reject: (name, id, reason, at) => inside(name, (directory) => {
      const rejected = rejectInDirectory(directory, { id, reason, caller, at });
      return rejected.ok ? ok(undefined) : rejected;
    }),
    watch: (changed) => watchAll(attached, changed),
  };
}

/** SHA-256 of each attached allowlist as its file is now; null where it cannot be trusted or read. */
export const allowlistDigests = (attached: readonly AttachedGuard[]): readonly { readonly name: string; readonly digest: Digest | null }[] =>
  attached.map(({ name, path: at }) => {
    const read = withGuardDirectory(at, readAllowlist);
    return { name, digest: read.ok ? read.value.digest : null };
  });

function see(directory: GuardDirectory, caller: number): Result<SeenGuardDirectory> {
  const allowlist = readAllowlist(directory);
  if (!allowlist.ok) return allowlist;
  if (allowlist.value.ownerUid !== caller) return ok({ allowlist: allowlist.value, owned: false, waiting: [], odd: [] });
  const inbox = readInbox(directory, allowlist.value);
  if (!inbox.ok) return inbox;
  const { waiting, odd } = inbox.value;
  return ok({ allowlist: allowlist.value, owned: true, waiting: waiting.map(({ proposal, uid }) => ({ proposal, uid })), odd });
}

/** The system's word where it gives one, and a look now and then: a directory that is made later, or that no word comes of, is found all the same. */
function watchAll(attached: readonly AttachedGuard[], changed: (name: string) => void): () => void {
  const watchers = attached.flatMap(({ name, path: at }) => Object.values(guardFolders).flatMap((folder) => watchOne(path.join(/* turbopackIgnore: true */ at, folder), () => changed(name))));
  const timer = setInterval(() => attached.forEach(({ name }) => changed(name)), lookMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const watcher of watchers) watcher.close();
  };
}

function watchOne(folder: string, changed: () => void): readonly fs.FSWatcher[] {
  try {
    const watcher = fs.watch(folder, { persistent: false }, changed);
    // What breaks the watching (the folder is removed, say) leaves the looks now and then, which say what they find.
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return [];
    throw cause;
  }
}
