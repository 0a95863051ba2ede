import { parseArgs } from 'node:util';

import { parsePolicyStatement, signPolicy, signPolicyStatement } from '@/lib/authority/policy-statement';
import { applyInBrowser, keyOwner } from '@/lib/cli/apply-in-browser';
import { waitSeconds } from '@/lib/cli/ask-browser';
import { exitCode, type Command } from '@/lib/cli/command';
import { refuseStrangers } from '@/lib/cli/commands/policy-sign';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { SigningKey } from '@/lib/server/ed25519';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { earlierRevision, rollBack } from '@/lib/services/console/roll-back';
import { bounds } from '@/lib/shared/bounds';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { Result } from '@/lib/shared/result';

const usage = `usage: countersign policy rollback REVISION [--key FILE…] [--reason TEXT] [--wait SECONDS]

Brings back the exact text of an earlier revision as a new, higher one: numbers never fall. Owners sign it like any other change, and the
log keeps what was brought back and what it replaced.
Without --key: prints a one-time link to the console, where owners sign with keys that browsers or devices hold, and waits for them.
  --reason TEXT  why, for the receipt
  --wait N       seconds to wait for the browser; 900 when left out
Exit: 0 in force, 1 refused, or nobody signed in time, 2 usage, or no database.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args, allowPositionals: true, options: { key: { type: 'string', multiple: true }, reason: { type: 'string' }, wait: { type: 'string' } },
    });
    const [named, ...more] = positionals;
    if (named === undefined || more.length > 0 || !/^r?[1-9]\d{0,8}$/.test(named)) throw new UsageError('Give one revision, such as 3.');
    const reason = values.reason?.trim() ?? '';
    if (reason.length > bounds.reasonText || !reason.isWellFormed()) throw new UsageError(`--reason takes at most ${String(bounds.reasonText)} characters.`);
    const asked = { revision: Number(named.replace('r', '')), reason: reason === '' ? null : reason };
    const seconds = waitSeconds(values.wait);
    const keys = values.key === undefined ? null : await readKeyFiles(values.key);
    const applied = await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      if (!parts.ok) return parts;
      if (keys) return await withKeys(parts.value, keys, asked);
      const earlier = await earlierRevision(parts.value, asked.revision);
      if (!earlier.ok) return earlier;
      const { text, format } = earlier.value;
      return await applyInBrowser(terminal, open, parts.value, { purpose: 'rollback', name: `r${String(asked.revision)}`, text, format, signature: null, restores: asked.revision, reason: asked.reason }, seconds);
    });
    if (applied.ok) {
      terminal.out(`Revision ${String(applied.value.revision)} is in force, with the text of r${String(asked.revision)}: sha256:${applied.value.digest}\n`);
      return exitCode.done;
    }
    printFault(terminal, applied.error);
    return exitCode.refused;
  },
};

async function withKeys(parts: ConsoleParts, keys: readonly SigningKey[], asked: { readonly revision: number; readonly reason: string | null }): Promise<Result<AppliedPolicy>> {
  const earlier = await earlierRevision(parts, asked.revision);
  if (!earlier.ok) return earlier;
  const { root } = await parts.inForce.current();
  const known = root ? refuseStrangers(keys, root.root) : null;
  if (known?.ok === false) return known;
  const { text, format } = earlier.value;
  const prepared = await preparePolicy(parts, { text, format });
  if (!prepared.ok) return prepared;
  const place = parsePolicyStatement(utf8(prepared.value.policy_revision.text));
  if (!place.ok) return place;
  const signers = keys.map(({ signer }) => signer);
  const [signature, statement] = await Promise.all([signPolicy(utf8(text), signers), signPolicyStatement(place.value, signers)]);
  return await rollBack(parts, await keyOwner(parts, keys), { text, format, signature: envelopeText(signature), statement: envelopeText(statement), restores: asked.revision, reason: asked.reason });
}
