import { parseArgs } from 'node:util';

import { exitCode, type Command } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import type { SigningKey } from '@/lib/server/ed25519';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { prepareRelease, releaseSwitch } from '@/lib/services/console/release-switch';
import { envelopeText, signEnvelope } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import { fail, type Result } from '@/lib/shared/result';

const usage = `usage: countersign switch release (--all | --agent NAME | --tool NAME) --reason TEXT --key FILE

Releases a kill switch by an owner's signature over exactly the throw that ends.
Exit: 0 released, 1 refused, 2 usage, no key, or no database.`;

type Which = { readonly scope: 'all' | 'agent' | 'tool'; readonly subject: string };

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args, options: { all: { type: 'boolean' }, agent: { type: 'string' }, tool: { type: 'string' }, reason: { type: 'string' }, key: { type: 'string' } } });
    const which = whichOf(values);
    const { reason, key } = values;
    if (reason === undefined || reason.trim() === '') throw new UsageError('Say why, with --reason.');
    if (key === undefined) throw new UsageError('Give an owner’s key file with --key. Keys held by a browser release under Agents in the console.');
    const [signer] = await readKeyFiles([key]);
    if (!signer) throw new UsageError('Give one key file.');
    const released = await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      return parts.ok ? await release(parts.value, which, reason.trim(), signer) : parts;
    });
    if (released.ok) {
      terminal.out(`Released: ${which.scope === 'all' ? 'everything' : `${which.scope} ${which.subject}`}\n`);
      return exitCode.done;
    }
    printFault(terminal, released.error);
    return exitCode.refused;
  },
};

function whichOf({ all, agent, tool }: { readonly all?: boolean | undefined; readonly agent?: string | undefined; readonly tool?: string | undefined }): Which {
  const named: readonly Which[] = [
    ...(all === true ? [{ scope: 'all', subject: '' } as const] : []), ...(agent === undefined ? [] : [{ scope: 'agent', subject: agent } as const]), ...(tool === undefined ? [] : [{ scope: 'tool', subject: tool } as const]),
  ];
  const [which] = named;
  if (!which || named.length > 1) throw new UsageError('Name one switch: --all, --agent NAME or --tool NAME.');
  return which;
}

/** In the owner's name whose key it is: nobody else's signature releases anything. */
async function release(parts: ConsoleParts, which: Which, reason: string, { id, signer }: SigningKey): Promise<Result<unknown>> {
  const prepared = await prepareRelease(parts, which);
  if (!prepared.ok) return prepared;
  const owner = (await parts.inForce.current()).root?.root.owners.find(({ key }) => key.id === id);
  if (!owner) return fail('signature_invalid', 'The key is no owner’s.');
  const { payload_type, text } = prepared.value.document;
  return await releaseSwitch(parts, owner.person, { ...which, reason, envelope: envelopeText(await signEnvelope(payload_type, utf8(text), [signer])) });
}
