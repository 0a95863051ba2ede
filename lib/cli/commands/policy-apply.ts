import { parseArgs } from 'node:util';

import { parsePolicyStatement, signPolicyStatement } from '@/lib/authority/policy-statement';
import { exitCode, type Command } from '@/lib/cli/command';
import { pointToConsole } from '@/lib/cli/commands/policy-sign';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { readPolicyFile, readSignatureFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { Actor } from '@/lib/ledger/predicates/fields';
import type { SigningKey } from '@/lib/server/ed25519';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { envelopeText } from '@/lib/shared/dsse';
import { utf8 } from '@/lib/shared/encoding';
import type { Result } from '@/lib/shared/result';

const usage = `usage: countersign policy apply FILE --key FILE… [--revision N]

Takes a policy that is signed (FILE.sig.json, see "policy sign") into force as the next revision. Which revision it becomes, and on top
of which text, is signed now, with the owners' keys given: both signatures are needed, by the same owners.
  --revision N   the number that you mean it to get: refused if another revision came in between
Without --key: keys held by a browser sign in the console, whose address is printed.
Exit: 0 in force, 1 refused, 2 usage, no key, no database, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { key: { type: 'string', multiple: true }, revision: { type: 'string' } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one policy.');
    if (values.revision !== undefined && !/^[1-9]\d{0,8}$/.test(values.revision)) throw new UsageError('--revision takes a whole number from 1.');
    if (values.key === undefined) return pointToConsole(terminal);
    const keys = await readKeyFiles(values.key);
    const revision = values.revision === undefined ? undefined : Number(values.revision);
    const applied = await withWorkspace(terminal, async (open) => {
      const parts = await consoleParts(open);
      return parts.ok ? await apply(parts.value, file, keys, revision) : parts;
    });
    if (applied.ok) {
      terminal.out(`Revision ${String(applied.value.revision)} is in force: sha256:${applied.value.digest}\n`);
      return exitCode.done;
    }
    printFault(terminal, applied.error, file);
    return exitCode.refused;
  },
};

async function apply(parts: ConsoleParts, file: string, keys: readonly SigningKey[], revision: number | undefined): Promise<Result<AppliedPolicy>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const { text, format } = policy.value;
  const signature = await readSignatureFile(file);
  if (!signature.ok) return signature;
  const prepared = await preparePolicy(parts, { text, format });
  if (!prepared.ok) return prepared;
  const next = parsePolicyStatement(utf8(prepared.value.policy_revision.text));
  if (!next.ok) return next;
  const statement = await signPolicyStatement({ ...next.value, ...(revision === undefined ? {} : { revision }) }, keys.map(({ signer }) => signer));
  return await applySignedRevision(parts, await actorOf(parts, keys), {
    text, format, signature: envelopeText(signature.value), statement: envelopeText(statement), origin: 'file',
  });
}

/** The owner whose key came first. A stranger's key is refused later, by what checks the signatures. */
async function actorOf(parts: ConsoleParts, keys: readonly SigningKey[]): Promise<Actor> {
  const { root } = await parts.inForce.current();
  const owner = root?.root.owners.find(({ key }) => key.id === keys[0]?.id);
  return owner ? { kind: 'person', id: owner.person } : { kind: 'service', id: 'cli' };
}
