import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { withWorkspace } from '@/lib/cli/open-console';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { randomIds } from '@/lib/server/random-ids';
import { issueSetUpLink } from '@/lib/services/console/set-up-link';

const usage = `usage: countersign set-up-link

Prints a one-time link, good for 24 hours, that makes the first owner. Once there is one it prints nothing.
Exit: 0 done, 2 usage or no database.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    parseArgs({ args, options: {} });
    return await withWorkspace(terminal, async ({ settings, stores }) => {
      const link = await issueSetUpLink({ ids: randomIds(), sha256: nodeSha256, ...stores });
      // The one failure says that the owner is there already.
      if (link.ok) {
        terminal.out(`\n  There is no owner yet: every action is denied (policy_unsigned). Open this once, within 24 hours:\n\n`);
        terminal.out(`  ${settings.consoleUrl}/set-up?token=${encodeURIComponent(link.value.token)}\n\n`);
      }
      return exitCode.done;
    });
  },
};
