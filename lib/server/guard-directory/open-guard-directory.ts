import path from 'node:path';

import { readGuardAllowlist, type GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { allowlistFile, guardBounds, guardFolders } from '@/lib/authority/guard-directory/guard-files';
import { fail, ok, type Result } from '@/lib/shared/result';

import { nodeSha256 } from '../node-sha256';
import { openAnchored, openChild, type AnchoredDirectory } from './anchored-directory';
import { readGuardedFile } from './read-guarded-file';
import { octal } from './write-whole-file';

export type GuardDirectory = {
  /** As it was given, for people. */
  readonly path: string;
  readonly state: AnchoredDirectory;
  readonly managed: AnchoredDirectory;
  readonly inbox: AnchoredDirectory;
};

/**
 * Holds a state directory while `work` runs. Refused: a link at any component, a part that is missing or is no directory, and parts that
 * three different users own, or that others may write (the inbox apart): what they hold would be nobody's word.
 */
export function withGuardDirectory<T>(given: string, work: (directory: GuardDirectory) => Result<T>): Result<T> {
  const held: AnchoredDirectory[] = [];
  const hold = (opened: Result<AnchoredDirectory>): Result<AnchoredDirectory> => {
    if (opened.ok) held.push(opened.value);
    return opened;
  };
  try {
    const state = hold(openAnchored(given));
    if (!state.ok) return state;
    const managed = hold(openChild(state.value, guardFolders.managed));
    if (!managed.ok) return managed;
    const inbox = hold(openChild(state.value, guardFolders.inbox));
    if (!inbox.ok) return inbox;
    for (const part of [state.value, managed.value]) {
      if ((part.mode & 0o022) !== 0) return fail('invalid_input', `${part.path} has mode ${octal(part.mode)}: others than its owner may write it.`);
    }
    if (new Set([state.value.uid, managed.value.uid, inbox.value.uid]).size > 1) return fail('invalid_input', `${given} and what is in it belong to different users.`);
    return work({ path: path.normalize(given).replace(/(?<=.)\/+$/, ''), state: state.value, managed: managed.value, inbox: inbox.value });
  } finally {
    for (const part of held) part.close();
  }
}

/** The allowlist in force. It counts only when the user whom it names as owner wrote it, into a directory of their own. */
export function readAllowlist({ managed }: GuardDirectory): Result<GuardAllowlist> {
  const file = readGuardedFile(managed, allowlistFile, { uids: [managed.uid], maxBytes: guardBounds.allowlistBytes });
  if (!file.ok) return file;
  if ((file.value.mode & 0o022) !== 0) return fail('invalid_input', `${allowlistFile} has mode ${octal(file.value.mode)}: others than its owner may write it.`);
  const read = readGuardAllowlist(file.value.bytes, nodeSha256);
  if (!read.ok) return read;
  return read.value.ownerUid === managed.uid
    ? read
    : fail('invalid_input', `${allowlistFile} names uid ${String(read.value.ownerUid)} as owner, and belongs to uid ${String(managed.uid)}.`);
}

/** The rest is for the owner's own user id: nobody else's signature, file or word stands in for it here. */
export function refuseOthers(allowlist: GuardAllowlist, caller: number): Result<void> {
  return caller === allowlist.ownerUid
    ? ok(undefined)
    : fail('forbidden', `This is for the owner: the caller is uid ${String(caller)}, the owner uid ${String(allowlist.ownerUid)}.`);
}
