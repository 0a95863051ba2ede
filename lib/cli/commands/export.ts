import path from 'node:path';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { draftFile } from '@/lib/server/whole-file';
import { exportReceipts } from '@/lib/services/console/export-receipts';
import { isId, type SessionId } from '@/lib/shared/ids';

const usage = `usage: countersign export [--from N] [--to N] [--session ID] [--withhold] --out FILE

Writes receipts with proofs, trust roots, rosters, policies and contents into one file, which verifies without this database.
  --from N       first position (default 0)
  --to N         position after the last one (default: all that a checkpoint covers)
  --session ID   the receipts of one session instead of a range
  --withhold     leaves contents out; digests and proofs stay whole
  --out FILE     written whole or not at all, readable by its owner
The export itself becomes a receipt, signed with the console's key: run it where the console's state directory is.
Exit: 0 written, 1 refused, 2 usage, or no database.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args,
      options: { from: { type: 'string' }, to: { type: 'string' }, session: { type: 'string' }, withhold: { type: 'boolean' }, out: { type: 'string' } },
    });
    const { out } = values;
    if (out === undefined) throw new UsageError('--out is missing.');
    const session = sessionOf(values.session);
    if (session !== undefined && (values.from !== undefined || values.to !== undefined)) throw new UsageError('Give a range or a session, not both.');
    const wanted = { withhold: values.withhold === true, from: positionOf('--from', values.from), to: positionOf('--to', values.to), session };
    return await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      if (!parts.ok) {
        printFault(terminal, parts.error);
        return exitCode.refused;
      }
      const draft = await draftFile(path.resolve(out), 0o600);
      let exported: Awaited<ReturnType<typeof exportReceipts>>;
      try {
        exported = await exportReceipts(parts.value, { kind: 'service', id: 'cli' }, wanted);
      } catch (error) {
        await draft.discard();
        throw error;
      }
      if (!exported.ok) {
        await draft.discard();
        printFault(terminal, exported.error);
        return exitCode.refused;
      }
      await draft.commit(exported.value.bytes);
      terminal.err(`${out}: ${String(exported.value.bytes.length)} bytes.`);
      return exitCode.done;
    });
  },
};

function positionOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const position = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(position)) throw new UsageError(`${name} takes a position: a whole number from 0.`);
  return position;
}

function sessionOf(text: string | undefined): SessionId | undefined {
  if (text === undefined || isId('session', text)) return text;
  throw new UsageError('--session takes the id of a session, ses_….');
}
