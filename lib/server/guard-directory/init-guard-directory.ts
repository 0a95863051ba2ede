import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { firstAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { allowlistFile, guardFolders, guardModes } from '@/lib/authority/guard-directory/guard-files';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { codeOf, openAnchored, openChild, type AnchoredDirectory } from './anchored-directory';
import { octal, syncDirectory, writeWholeFile } from './write-whole-file';

type Wanted = { readonly state: string; readonly ownerUid: number; readonly agentUid: number; readonly at: Timestamp };

/**
 * Makes a state directory that did not exist. Everything is made under a hidden name beside it and renamed last, so that nobody ever meets
 * a half-made one; a crash leaves the hidden one, which means nothing.
 */
export function initGuardDirectory({ state, ownerUid, agentUid, at }: Wanted): Result<void> {
  if (ownerUid === agentUid) return fail('invalid_input', `--agent-uid is the caller's own uid ${String(ownerUid)}: an agent that is its owner cannot be guarded.`);
  if (agentUid === 0) return fail('invalid_input', '--agent-uid is root, whom no file permission keeps out.');
  const absolute = path.resolve(/* turbopackIgnore: true */ state);
  const name = path.basename(absolute);
  const parent = openAnchored(path.dirname(absolute));
  if (!parent.ok) return parent;
  const draft = `.${name}.${randomBytes(8).toString('hex')}`;
  try {
    if (name === '' || fs.lstatSync(parent.value.entry(name), { throwIfNoEntry: false })) return fail('conflict', `${state} exists already.`);
    const made = makeState(parent.value, draft, firstAllowlist(ownerUid, agentUid, at));
    if (!made.ok) return made;
    // An empty directory made meanwhile would be replaced, anything else makes this fail.
    fs.renameSync(parent.value.entry(draft), parent.value.entry(name));
    syncDirectory(parent.value);
    return ok(undefined);
  } catch (cause) {
    return fail('unavailable', `${state} could not be made (${codeOf(cause) ?? String(cause)}).`, { cause });
  } finally {
    fs.rmSync(parent.value.entry(draft), { recursive: true, force: true });
    parent.value.close();
  }
}

function makeState(parent: AnchoredDirectory, draft: string, allowlist: Uint8Array): Result<void> {
  const state = makeFolder(parent, draft, guardModes.state);
  if (!state.ok) return state;
  try {
    const managed = makeFolder(state.value, guardFolders.managed, guardModes.managed);
    if (!managed.ok) return managed;
    try {
      const written = writeWholeFile(managed.value, allowlistFile, allowlist, guardModes.managed_file);
      if (!written.ok) return written;
      syncDirectory(managed.value);
    } finally {
      managed.value.close();
    }
    const inbox = makeFolder(state.value, guardFolders.inbox, guardModes.inbox);
    if (!inbox.ok) return inbox;
    inbox.value.close();
    syncDirectory(state.value);
    return ok(undefined);
  } finally {
    state.value.close();
  }
}

/** The mode given when a folder is made is cut by umask and added to by a setgid parent; so it is set afterwards, and looked at. */
function makeFolder(parent: AnchoredDirectory, name: string, mode: number): Result<AnchoredDirectory> {
  fs.mkdirSync(parent.entry(name), { mode: 0o700 });
  const made = openChild(parent, name);
  if (!made.ok) return made;
  fs.chmodSync(made.value.self(), mode);
  const found = fs.statSync(made.value.self()).mode & 0o7777;
  if (found === mode) return made;
  made.value.close();
  return fail('unavailable', `${name} has mode ${octal(found)} instead of ${octal(mode)}; this file system does not keep modes.`);
}
