import { appliedProposalFile, guardFolders } from '@/lib/authority/guard-directory/guard-files';
import { exitCode, type Command } from '@/lib/cli/command';
import { callerUid, flagsOf, now, oneLine, proposalIdOf, refuse, shownPath } from '@/lib/cli/guard/guard-call';
import { applyInDirectory } from '@/lib/server/guard-directory/apply-in-directory';
import { readAllowlist, refuseOthers, withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';
import { octal } from '@/lib/server/guard-directory/write-whole-file';
import { fail } from '@/lib/shared/result';

/** Typed by whoever applies, so that no half-remembered command does. It proves nothing: the user id does. */
const confirmation = 'APPLY_PROPOSAL';

const usage = `usage: countersign guard apply-proposal --state DIR [--id ID] --confirm ${confirmation}

Adds the permission that a proposal asks for. ID is its SHA-256, as "guard list" shows it; without one, exactly one proposal may wait, and its
SHA-256 is said on stderr. For the owner.
Exit: 0 done, 2 refused, or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const flags = flagsOf(args, ['state', 'confirm'], ['id']);
    const [state, given] = [flags.get('state'), flags.find('id')];
    const id = given === undefined ? undefined : proposalIdOf(given);
    if (id?.ok === false) return refuse(terminal, id.error);
    const caller = callerUid();
    if (!caller.ok) return refuse(terminal, caller.error);
    const applied = withGuardDirectory(state, (directory) => {
      const allowlist = readAllowlist(directory);
      if (!allowlist.ok) return allowlist;
      const owner = refuseOthers(allowlist.value, caller.value);
      if (!owner.ok) return owner;
      if (flags.get('confirm') !== confirmation) return fail('invalid_input', `--confirm is exactly ${confirmation}, or nothing is applied.`);
      return applyInDirectory(directory, { id: id?.value, caller: caller.value, at: now() });
    });
    if (!applied.ok) return refuse(terminal, applied.error);
    const { proposal, before, after, mode } = applied.value;
    if (id === undefined) terminal.err(`proposal_sha256: ${proposal.id}`);
    terminal.out(`actor: owner
uid_check: PASS (caller=${String(caller.value)} owner=${String(after.ownerUid)} agent=${String(after.agentUid)})
confirmation: PASS
result: APPLIED
permission: ${oneLine(proposal.permission)}
revision: ${String(before.revision)} -> ${String(after.revision)}
allowlist_mode: ${octal(mode)}
proposal_receipt: ${shownPath(state, guardFolders.managed, appliedProposalFile)}
`);
    return exitCode.done;
  },
};
