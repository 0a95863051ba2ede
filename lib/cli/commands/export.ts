import { access } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { draftFile } from '@/lib/server/whole-file';
import { exportReceipts, type WantedExport } from '@/lib/services/console/export-receipts';
import { isDigest, isId } from '@/lib/shared/ids';

const usage = `usage: countersign export [--from N] [--to N] | --session ID | --case ID   [--withhold | --withhold-sensitive] [--withhold-content DIGEST …] --out FILE [--force]

Writes receipts with proofs, trust roots, rosters, policies and contents into one file, which verifies without this database.
  --from N       first position (default 0)
  --to N         position after the last one (default: all that a checkpoint covers)
  --session ID   the receipts of one session instead of a range
  --case ID      everything about one action (act_…, or the request apr_… or deferral dfr_… that it waited in), and what it rests on
  --withhold     leaves contents out; digests and proofs stay whole
  --withhold-sensitive       leaves out sensitive arguments, and what repeats them
  --withhold-content DIGEST  leaves out this one; may be repeated
  --out FILE     written whole or not at all, readable by its owner
  --force        replaces a file that is there
A file holds at most 256 MiB, and making one takes about ten times its size in memory: a larger range is refused with one that fits. Ranges that go on from each other (--to 1000, then --from 1000) join.
The export itself becomes a receipt, signed with the console's key: run it where the console's state directory is.
Exit: 0 written, 1 refused, 2 usage, or no database.`;

const options = {
  from: { type: 'string' }, to: { type: 'string' }, session: { type: 'string' }, case: { type: 'string' }, withhold: { type: 'boolean' },
  'withhold-sensitive': { type: 'boolean' }, 'withhold-content': { type: 'string', multiple: true }, out: { type: 'string' }, force: { type: 'boolean' },
} as const;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options });
    const { out } = values;
    if (out === undefined) throw new UsageError('--out is missing.');
    const wanted = wantedOf(values);
    const file = path.resolve(out);
    if (values.force !== true && (await isThere(file))) {
      printFault(terminal, { code: 'conflict', detail: `${out} is there already.`, fix: 'Name another file, or replace this one with --force.' });
      return exitCode.refused;
    }
    return await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      if (!parts.ok) {
        printFault(terminal, parts.error);
        return exitCode.refused;
      }
      const draft = await draftFile(file, 0o600);
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

type Given = ReturnType<typeof parseArgs<{ readonly options: typeof options }>>['values'];

function wantedOf(values: Given): WantedExport {
  const session = values.session;
  const about = values.case;
  if (session !== undefined && !isId('session', session)) throw new UsageError('--session takes the id of a session, ses_….');
  if (about !== undefined && !isId('action', about) && !isId('approval', about) && !isId('deferral', about)) throw new UsageError('--case takes the id of an action, a request or a deferral: act_…, apr_… or dfr_….');
  const from = positionOf('--from', values.from);
  const to = positionOf('--to', values.to);
  if ([session, about, from ?? to].filter((given) => given !== undefined).length > 1) throw new UsageError('Give a range, a session or a case, and only one of them.');
  if (values.withhold === true && values['withhold-sensitive'] === true) throw new UsageError('--withhold leaves out the sensitive arguments too: give one of the two.');
  const withholdContents = (values['withhold-content'] ?? []).map((text) => {
    if (!isDigest(text)) throw new UsageError('--withhold-content takes a SHA-256 in lower-case hex, 64 characters.');
    return text;
  });
  return {
    withhold: values.withhold === true,
    withholdSensitive: values['withhold-sensitive'] === true,
    withholdContents,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(session === undefined ? {} : { session }),
    ...(about === undefined ? {} : { case: about }),
  };
}

function positionOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const position = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(position)) throw new UsageError(`${name} takes a position: a whole number from 0.`);
  return position;
}

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false;
    throw cause;
  }
}
