import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { runAlone } from '@/lib/cli/run-alone';

const usage = `usage: countersign plane

Runs the decision plane alone, until Ctrl-C. Any number of planes may work on one database; each needs a PLANE_PORT of its own, and
planes on several hosts need the same DATABASE_URL and the plane's key in their state directories.
Exit: 0 stopped, 2 usage, or it could not run.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    parseArgs({ args, options: {} });
    await runAlone('plane', terminal);
    return exitCode.done;
  },
};
