import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { runAlone } from '@/lib/cli/run-alone';

const usage = `usage: countersign console

Runs the console alone, until Ctrl-C. Any number of consoles may work on one database; each needs a PORT of its own, and consoles on
several hosts need the same DATABASE_URL and NEXTAUTH_SECRET, and the console's key in their state directories.
Exit: 0 stopped, 2 usage, or it could not run.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    parseArgs({ args, options: {} });
    await runAlone('console', terminal);
    return exitCode.done;
  },
};
