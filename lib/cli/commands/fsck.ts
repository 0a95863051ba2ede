import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { withWorkspace } from '@/lib/cli/open-console';
import { plainText } from '@/lib/cli/plain-text';
import { readPinnedHeads } from '@/lib/cli/pinned-heads';
import { fsck } from '@/lib/db/fsck';
import { toHex } from '@/lib/shared/encoding';

const usage = `usage: countersign fsck [--log-only] [--json]

Rebuilds the log from its receipts and compares leaf hashes, links, every search column, tiles, checkpoints, head, and the heads that are
kept outside the database: pins of the state directory, exported checkpoints. Then what is stored beside it: contents with their digests, steps of sessions with their chains and with the heads that
receipts state, rows of actions, requests, votes and deferrals with what was signed, and what sessions left on resources. It checks no signatures:
"countersign export" and "countersign verify" do.
  --log-only  leaves out what is stored beside the log
Exit: 0 everything fits, 1 the first difference is named, 2 usage, or database or pins cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean' }, 'log-only': { type: 'boolean' } } });
    const scope = values['log-only'] === true ? 'log' : 'all';
    return await withWorkspace(terminal, async ({ settings, pool, workspace, stores }) => {
      // Read before the database is: what is appended meanwhile only makes the log longer than a pin says.
      const pins = await readPinnedHeads(settings);
      const { size } = await stores.log.head();
      const onProgress = (checked: number): void => terminal.progress?.(`${String(checked)} of ${String(size)} receipts`);
      const report = await fsck(pool, workspace, pins, { scope, onProgress });
      terminal.progress?.('');
      if (report.ok) {
        const found = { ok: true, size: Number(report.size), root: toHex(report.root), pins: pins.length };
        terminal.out(values.json === true ? `${JSON.stringify(found)}\n` : `The log checks out: ${String(found.size)} receipts, root ${found.root}, ${String(found.pins)} pins compared.\n`);
        return exitCode.done;
      }
      const { position, what, detail } = report.fault;
      if (values.json === true) terminal.out(`${JSON.stringify({ ok: false, position: Number(position), what, detail })}\n`);
      terminal.err(`error: ledger_broken: First difference at position ${String(position)} (${what}): ${plainText(detail)}`);
      terminal.err('fix: Stop the plane, keep a copy of the database, and compare it with an exported bundle or a backup.');
      return exitCode.refused;
    });
  },
};
