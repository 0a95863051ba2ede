import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { maxBundleBytes } from '@/lib/ledger/bundle';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { readVerifierFile } from '@/lib/server/verifier-file';
import { draftFile } from '@/lib/server/whole-file';
import { utf8 } from '@/lib/shared/encoding';
import { htmlReport } from '@/lib/verify/html-report';

const usage = `usage: countersign report BUNDLE --out FILE.html

Makes of a bundle one HTML file that people can read and that verifies itself when it is opened, without a network.
  --out FILE.html   written whole or not at all, readable by its owner
Exit: 0 written, 2 unreadable or usage.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { out: { type: 'string' } } });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one bundle.');
    if (values.out === undefined) throw new UsageError('--out is missing.');
    const { size } = await stat(file);
    if (size > maxBundleBytes) throw new Error(`${file} has ${String(size)} bytes; a bundle has at most ${String(maxBundleBytes)}.`);
    const report = htmlReport({ verifier: await readVerifierFile(), bundle: new Uint8Array(await readFile(file)), sha256: nodeSha256 });
    if (!report.ok) {
      printFault(terminal, report.error);
      return exitCode.unusable;
    }
    const draft = await draftFile(path.resolve(values.out), 0o600);
    const bytes = utf8(report.value);
    await draft.commit(bytes);
    terminal.err(`${values.out}: ${String(bytes.length)} bytes.`);
    return exitCode.done;
  },
};
