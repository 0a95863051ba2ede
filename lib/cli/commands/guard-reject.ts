import { guardFolders, guardReceiptFile } from '@/lib/authority/guard-directory/guard-files';
import { exitCode, type Command } from '@/lib/cli/command';
import { callerUid, flagsOf, now, oneLine, proposalIdOf, refuse, shownPath } from '@/lib/cli/guard/guard-call';
import { withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';
import { rejectInDirectory } from '@/lib/server/guard-directory/reject-in-directory';

const usage = `usage: countersign guard reject --state DIR --id ID --reason TEXT

Turns a proposal down for good, and keeps it with the reason. ID is its SHA-256, as "guard list" shows it. For the owner.
Exit: 0 done, 2 refused, or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const flags = flagsOf(args, ['state', 'id', 'reason']);
    const [state, reason] = [flags.get('state'), flags.get('reason')];
    const id = proposalIdOf(flags.get('id'));
    if (!id.ok) return refuse(terminal, id.error);
    const caller = callerUid();
    if (!caller.ok) return refuse(terminal, caller.error);
    const rejected = withGuardDirectory(state, (directory) => rejectInDirectory(directory, { id: id.value, reason, caller: caller.value, at: now() }));
    if (!rejected.ok) return refuse(terminal, rejected.error);
    const { proposal, revision, digest } = rejected.value;
    terminal.out(`actor: owner
result: REJECTED
permission: ${oneLine(proposal.permission)}
revision: ${String(revision)}
proposal_sha256: ${proposal.id}
allowlist_sha256: ${digest}
proposal_receipt: ${shownPath(state, guardFolders.managed, guardReceiptFile(proposal.id))}
`);
    return exitCode.done;
  },
};
