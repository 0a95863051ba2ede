import fs from 'node:fs';

import { refusalToApply } from '@/lib/authority/guard-directory/apply-guard-proposal';
import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { guardBounds, guardReceiptFile, isProposalFile } from '@/lib/authority/guard-directory/guard-files';
import { readGuardProposal, type GuardProposal } from '@/lib/authority/guard-directory/guard-proposal';
import { fail, ok, type Fault, type Result } from '@/lib/shared/result';

import { nodeSha256 } from '../node-sha256';
import { codeOf, type AnchoredDirectory } from './anchored-directory';
import type { GuardDirectory } from './open-guard-directory';
import { readGuardedFile } from './read-guarded-file';

/** A name in the inbox and which file it was when it was read. */
export type InboxFile = { readonly name: string; readonly inode: number; readonly device: number };

export type WaitingProposal = {
  readonly proposal: GuardProposal;
  /** Who wrote it, as the file system says. */
  readonly uid: number;
  /** Several when the same bytes were dropped under several names. */
  readonly files: readonly InboxFile[];
  /** Why it cannot be applied as it is. */
  readonly refusal: Fault | undefined;
};

export type Inbox = {
  readonly waiting: readonly WaitingProposal[];
  /** What lies there and is no proposal that could be applied, and why. Nothing is done with it. */
  readonly odd: readonly { readonly name: string; readonly why: string }[];
  /** Files of proposals that have ended: a crash came before they were taken away, or somebody dropped them again. */
  readonly ended: readonly InboxFile[];
};

/** Everything in the inbox, each file opened once. Only its owner may list it. Over the bound of entries it is not read at all. */
export function readInbox({ inbox, managed }: GuardDirectory, allowlist: GuardAllowlist): Result<Inbox> {
  const names = listed(inbox);
  if (!names.ok) return names;
  const waiting = new Map<string, WaitingProposal>();
  const odd: { name: string; why: string }[] = [];
  const ended: InboxFile[] = [];
  for (const name of names.value) {
    if (!isProposalFile(name)) {
      odd.push({ name, why: 'not a name of a proposal' });
      continue;
    }
    const file = readGuardedFile(inbox, name, { uids: [allowlist.agentUid, allowlist.ownerUid], maxBytes: guardBounds.proposalBytes });
    const proposal = file.ok ? readGuardProposal(file.value.bytes, nodeSha256) : file;
    if (!file.ok || !proposal.ok) {
      // Gone since it was listed: an agent may take back its own.
      if (file.ok || file.error.code !== 'not_found') odd.push({ name, why: proposal.ok ? '' : proposal.error.detail });
      continue;
    }
    const { uid, inode, device } = file.value;
    const { id } = proposal.value;
    const at = { name, inode, device };
    if (hasEnded(managed, proposal.value)) ended.push(at);
    else {
      const refused = refusalToApply(allowlist, proposal.value);
      const refusal = refused?.ok === false ? refused.error : undefined;
      waiting.set(id, { proposal: proposal.value, uid, refusal, files: [...(waiting.get(id)?.files ?? []), at] });
    }
  }
  return ok({ waiting: [...waiting.values()], odd, ended });
}

const hasEnded = (managed: AnchoredDirectory, { id }: GuardProposal): boolean =>
  fs.lstatSync(managed.entry(guardReceiptFile(id)), { throwIfNoEntry: false }) !== undefined;

/** Without what is being written, in the order of the names, so that two looks at one inbox say the same. */
function listed(inbox: AnchoredDirectory): Result<readonly string[]> {
  const names: string[] = [];
  try {
    const folder = fs.opendirSync(inbox.self());
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        if (names.length >= guardBounds.inboxEntries) return fail('too_large', `${inbox.path} holds over ${String(guardBounds.inboxEntries)} entries. Its owner has to remove some.`);
        if (!entry.name.startsWith('.')) names.push(entry.name);
      }
    } finally {
      folder.closeSync();
    }
  } catch (cause) {
    const why = codeOf(cause);
    return fail(why === 'EACCES' ? 'forbidden' : 'unavailable', why === 'EACCES' ? `${inbox.path} may not be listed by this user.` : `${inbox.path} cannot be listed (${why ?? String(cause)}).`, { cause });
  }
  return ok(names.sort());
}
