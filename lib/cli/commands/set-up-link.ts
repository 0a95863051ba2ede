import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { withWorkspace } from '@/lib/cli/open-console';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { issueSetUpLink } from '@/lib/services/console/set-up-link';

const usage = `usage: countersign set-up-link [--quiet]

Prints a one-time link, good for 24 hours, that makes the first owner. Once there is one it prints no link any more.
  --quiet   then says nothing either
Exit: 0 done, 2 usage or no database.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { quiet: { type: 'boolean', default: false } } });
    return await withWorkspace(terminal, async ({ settings, stores }) => {
      const link = await issueSetUpLink({ ids: randomIds(), sha256: nodeSha256, ...stores });
      // The one failure says that the owner is there already.
      if (link.ok) {
        terminal.out(`\n  There is no owner yet: every action is denied (policy_unsigned). Open this once, within 24 hours:\n\n`);
        terminal.out(`  ${settings.consoleUrl}/set-up?token=${encodeURIComponent(link.value.token)}\n\n`);
      } else if (!values.quiet) {
        terminal.err(`There is an owner already. Sign in at ${settings.consoleUrl}/sign-in; Settings there invites others.`);
      }
      return exitCode.done;
    });
  },
};
