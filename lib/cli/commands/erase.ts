import { parseArgs } from 'node:util';

import { counted } from '@/lib/approvals/view-text';
import { exitCode, type Command } from '@/lib/cli/command';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { eraseContent, eraseEndedBefore, type EraseParts } from '@/lib/services/erase-content';
import { isDigest, isId } from '@/lib/shared/ids';

const usage = `usage: countersign erase --session ID | --action ID | --content DIGEST --session ID | --older-than DAYS   --reason TEXT

Deletes contents and their salts, and every text in the database that repeats them. Receipts, proofs and the log stay as they are and verify
as before; what is gone is counted as erased, and decisions that rest on it can no longer be re-derived. A receipt says who erased what and why.
  --session ID       everything said and done in a session, and in those under it
  --action ID        one action: its arguments, output, what was held, and what later decisions of its session may quote of it
  --content DIGEST   one content item of the session, likewise
  --older-than DAYS  every session that ended so many days ago, such as 90d; up to 1000 in one run
  --reason TEXT      goes into the receipt, for ever: name nobody in it
Only what has ended can be erased: close the session, and deny or withdraw what still waits in it.
Exit: 0 erased, 1 refused, 2 usage, or no database.`;

/** Sessions in one run of a retention: the next run goes on. */
const atOnce = 1000;
const dayMs = 86_400_000;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args,
      options: { session: { type: 'string' }, action: { type: 'string' }, content: { type: 'string' }, 'older-than': { type: 'string' }, reason: { type: 'string' } },
    });
    const work = workOf(values);
    return await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      if (!parts.ok) {
        printFault(terminal, parts.error);
        return exitCode.refused;
      }
      const erased = await work(parts.value, await parts.value.reads.now());
      if (!erased.ok) {
        printFault(terminal, erased.error);
        return exitCode.refused;
      }
      const { contents, entries, receipts } = erased.value;
      terminal.err(`Erased ${counted(contents, 'content')} and ${counted(entries, 'step')} of sessions; ${counted(receipts, 'receipt')} written.`);
      terminal.err('The server frees the old rows at its next VACUUM; backups and exported bundles keep what they hold.');
      return exitCode.done;
    });
  },
};

type Given = { readonly session?: string; readonly action?: string; readonly content?: string; readonly 'older-than'?: string; readonly reason?: string };
type Work = (parts: EraseParts, now: string) => ReturnType<typeof eraseContent>;

function workOf({ session, action, content, 'older-than': age, reason }: Given): Work {
  if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is missing.');
  const by = { kind: 'service', id: 'cli' } as const;
  const said = { cause: 'asked', reason } as const;
  if (age !== undefined) {
    const days = /^(\d{1,5})d$/.exec(age)?.[1];
    if (days === undefined || session !== undefined || action !== undefined || content !== undefined) throw new UsageError('--older-than takes days, such as 90d, and nothing else is named with it.');
    return async (parts, now) => await eraseEndedBefore(parts, by, { at: new Date(Date.parse(now) - Number(days) * dayMs).toISOString(), reason, limit: atOnce });
  }
  if (action !== undefined) {
    if (!isId('action', action) || session !== undefined || content !== undefined) throw new UsageError('--action takes the id of an action, act_…, and nothing else is named with it.');
    return async (parts) => await eraseContent(parts, by, { action, ...said });
  }
  if (session === undefined || !isId('session', session)) throw new UsageError('Name what to erase: --session ses_…, --action act_…, or --older-than 90d.');
  if (content === undefined) return async (parts) => await eraseContent(parts, by, { session, ...said });
  if (!isDigest(content)) throw new UsageError('--content takes a SHA-256 in lower-case hex, 64 characters.');
  return async (parts) => await eraseContent(parts, by, { content, session, ...said });
}
