import { guardFolders } from '@/lib/authority/guard-directory/guard-files';
import { guardRequester } from '@/lib/authority/guard-directory/guard-proposal';
import { exitCode, type Command } from '@/lib/cli/command';
import { callerUid, flagsOf, now, oneLine, refuse, shownPath } from '@/lib/cli/guard/guard-call';
import { withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';
import { requestPermission } from '@/lib/server/guard-directory/request-permission';

const usage = `usage: countersign guard self-request --state DIR --permission NAME --reason TEXT

Nobody widens their own permissions: the answer is REFUSED_DIRECT_EDIT, the allowlist stays as it is, and a proposal waits for its owner.
Exit: 0 the proposal was filed, 2 refused, or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const flags = flagsOf(args, ['state', 'permission', 'reason']);
    const [state, permission, reason] = [flags.get('state'), flags.get('permission'), flags.get('reason')];
    const caller = callerUid();
    if (!caller.ok) return refuse(terminal, caller.error);
    const requested = withGuardDirectory(state, (directory) => requestPermission(directory, { permission, reason, caller: caller.value, at: now() }));
    if (!requested.ok) return refuse(terminal, requested.error);
    const { file, before, after } = requested.value;
    terminal.out(`actor: ${guardRequester}
request: add ${oneLine(permission)}
result: REFUSED_DIRECT_EDIT
proposal_written: ${shownPath(state, guardFolders.inbox, file)}
allowlist_sha256_before: ${before}
allowlist_sha256_after:  ${after}
allowlist_unchanged: ${before === after ? 'yes' : 'no'}
`);
    return exitCode.done;
  },
};
