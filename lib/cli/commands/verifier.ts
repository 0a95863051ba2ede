import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { readVerifierFile } from '@/lib/server/verifier-file';
import { digestOf, utf8 } from '@/lib/shared/encoding';

const usage = `usage: countersign verifier > verify.html

Prints the verifier as one HTML file. It works from a disk, in any newer browser, and its own content policy forbids it every network.
The same version prints the same bytes; their SHA-256 goes to stderr, so that two people can tell that they have the same file.

Exit: 0 printed, 2 usage, or no verifier was built.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    parseArgs({ args, options: {} });
    const page = await readVerifierFile();
    terminal.out(page);
    terminal.err(`sha256 ${digestOf(nodeSha256, utf8(page))}`);
    return exitCode.done;
  },
};
