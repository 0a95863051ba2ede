import { firstPermission } from '@/lib/authority/guard-directory/guard-allowlist';
import { allowlistFile, guardFolders } from '@/lib/authority/guard-directory/guard-files';
import { exitCode, type Command } from '@/lib/cli/command';
import { callerUid, flagsOf, now, refuse, shownPath, uidOf } from '@/lib/cli/guard/guard-call';
import { initGuardDirectory } from '@/lib/server/guard-directory/init-guard-directory';

const usage = `usage: countersign guard init --state DIR --agent-uid N

Makes DIR, which must not exist: an allowlist that its owner (whoever runs this) alone can change, and an inbox that the agent's user N can drop
proposals into and cannot list. DIR's own folder should be the owner's too: whoever may rename DIR replaces it.
Exit: 0 done, 2 refused, or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const flags = flagsOf(args, ['state', 'agent-uid']);
    const state = flags.get('state');
    const agentUid = uidOf(flags.get('agent-uid'));
    if (!agentUid.ok) return refuse(terminal, agentUid.error);
    const owner = callerUid();
    if (!owner.ok) return refuse(terminal, owner.error);
    const made = initGuardDirectory({ state, ownerUid: owner.value, agentUid: agentUid.value, at: now() });
    if (!made.ok) return refuse(terminal, made.error);
    terminal.out(`state: ${shownPath(state)}
allowlist: ${shownPath(state, guardFolders.managed, allowlistFile)}
identity_boundary: owner_uid=${String(owner.value)} agent_uid=${String(agentUid.value)}
initialized: revision=1 permissions=${firstPermission}
`);
    return exitCode.done;
  },
};
