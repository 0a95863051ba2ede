import path from 'node:path';
import { parseArgs } from 'node:util';

import { parsePolicyStatement, signPolicyStatement } from '@/lib/authority/policy-statement';
import { applyInBrowser, keyOwner } from '@/lib/cli/apply-in-browser';
import { waitSeconds } from '@/lib/cli/ask-browser';
import { exitCode, type Command } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { consoleParts, withWorkspace } from '@/lib/cli/open-console';
import { readPolicyFile, readSignatureFile, type PolicyFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import type { AppliedPolicy } from '@/lib/contracts/console/policies';
import type { SigningKey } from '@/lib/server/ed25519';
import { applySignedRevision } from '@/lib/services/proposals/apply-signed-revision';
import type { ConsoleParts } from '@/lib/services/console/console-parts';
import { preparePolicy } from '@/lib/services/console/prepare-policy';
import { envelopePayload, envelopeText, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign policy apply FILE [--key FILE…] [--revision N] [--wait SECONDS]

Takes a policy that is signed (FILE.sig.json, see "policy sign") into force as the next revision. Which revision it becomes, and on top
of which text, is signed now, with the owners' keys given: both signatures are needed, by the same owners; how many, follows from what it
changes, as it is found out here.
Without --key: prints a one-time link to the console, where owners sign with keys that browsers or devices hold, and waits for them.
  --revision N   the number that you mean it to get: refused if another revision came in between
  --wait N       seconds to wait for the browser; 900 when left out
Exit: 0 in force, 1 refused, or nobody signed in time, 2 usage, no database, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { key: { type: 'string', multiple: true }, revision: { type: 'string' }, wait: { type: 'string' } },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one policy.');
    if (values.revision !== undefined && !/^[1-9]\d{0,8}$/.test(values.revision)) throw new UsageError('--revision takes a whole number from 1.');
    const seconds = waitSeconds(values.wait);
    const keys = values.key === undefined ? null : await readKeyFiles(values.key);
    const revision = values.revision === undefined ? undefined : Number(values.revision);
    const applied = await withWorkspace(terminal, async (open): Promise<Result<Pick<AppliedPolicy, 'revision' | 'digest'>>> => {
      const parts = await consoleParts(open);
      if (!parts.ok) return parts;
      if (keys) return await apply(parts.value, file, keys, revision);
      const signed = await readSigned(file);
      if (!signed.ok) return signed;
      const { text, format, signature } = signed.value;
      const next = await mayBecome(parts.value, revision);
      if (!next.ok) return next;
      return await applyInBrowser(terminal, open, parts.value, { purpose: 'apply', name: path.basename(file), text, format, signature: envelopeText(signature), restores: null, reason: null }, seconds);
    });
    if (applied.ok) {
      terminal.out(`Revision ${String(applied.value.revision)} is in force: sha256:${applied.value.digest}\n`);
      return exitCode.done;
    }
    printFault(terminal, applied.error, file);
    return exitCode.refused;
  },
};

/** The file and the signature beside it, which has to be over these very bytes. */
async function readSigned(file: string): Promise<Result<PolicyFile & { readonly signature: Envelope }>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const signature = await readSignatureFile(file);
  if (!signature.ok) return signature;
  const payload = envelopePayload(signature.value);
  if (!payload || !bytesEqual(payload, policy.value.bytes)) return fail('policy_altered', 'The signed text is another than this one.', { fix: 'Restore the text that was signed, or sign this one.' });
  return ok({ ...policy.value, signature: signature.value });
}

/** The browser signs the number that comes next; who means another one is told before anybody signs. */
async function mayBecome(parts: ConsoleParts, revision: number | undefined): Promise<Result<null>> {
  const next = ((await parts.inForce.refresh()).policy?.revision ?? 0) + 1;
  if (revision === undefined || revision === next) return ok(null);
  return revision < next ? fail('policy_not_newer', `Revision ${String(revision)} does not rise above ${String(next - 1)}.`) : fail('policy_base_changed', `Revision ${String(next)} comes next.`);
}

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
  return await applySignedRevision(parts, await keyOwner(parts, keys), {
    text, format, signature: envelopeText(signature.value), statement: envelopeText(statement), origin: 'file',
  });
}
