import { guardRequester } from '@/lib/authority/guard-directory/guard-proposal';
import { isPermitted } from '@/lib/authority/guard-directory/guard-allowlist';
import { exitCode, type Command } from '@/lib/cli/command';
import { flagsOf, oneLine, refuse } from '@/lib/cli/guard/guard-call';
import { readAllowlist, withGuardDirectory } from '@/lib/server/guard-directory/open-guard-directory';

const usage = `usage: countersign guard check --state DIR --operation NAME

Says whether the allowlist holds exactly this name.
Exit: 0 ALLOWED, 1 DENIED, 2 refused because the state cannot be trusted or read (nothing is allowed then), or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const flags = flagsOf(args, ['state', 'operation']);
    const operation = flags.get('operation');
    const allowlist = withGuardDirectory(flags.get('state'), readAllowlist);
    if (!allowlist.ok) return refuse(terminal, allowlist.error);
    const allowed = isPermitted(allowlist.value, operation);
    terminal.out(`actor: ${guardRequester}
operation: ${oneLine(operation)}
result: ${allowed ? 'ALLOWED' : 'DENIED'}
revision: ${String(allowlist.value.revision)}
`);
    return allowed ? exitCode.done : exitCode.refused;
  },
};
