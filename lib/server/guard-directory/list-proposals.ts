import type { GuardAllowlist } from '@/lib/authority/guard-directory/guard-allowlist';
import { ok, type Result } from '@/lib/shared/result';

import { isUnsettled, settle } from './end-proposal';
import { withGuardLock } from './guard-lock';
import { readAllowlist, refuseOthers, type GuardDirectory } from './open-guard-directory';
import { readInbox, type Inbox } from './read-inbox';

export type ListedProposals = { readonly allowlist: GuardAllowlist; readonly inbox: Inbox };

/** What waits, for the owner. Writes nothing, unless an application was cut off before its receipt: that is finished first. */
export function listProposals(directory: GuardDirectory, caller: number): Result<ListedProposals> {
  const allowlist = readAllowlist(directory);
  if (!allowlist.ok) return allowlist;
  const owner = refuseOthers(allowlist.value, caller);
  if (!owner.ok) return owner;
  const unsettled = isUnsettled(directory, allowlist.value);
  if (!unsettled.ok) return unsettled;
  if (unsettled.value) {
    const settled = withGuardLock(directory.managed, () => settle(directory, allowlist.value));
    if (!settled.ok) return settled;
  }
  const inbox = readInbox(directory, allowlist.value);
  return inbox.ok ? ok({ allowlist: allowlist.value, inbox: inbox.value }) : inbox;
}
