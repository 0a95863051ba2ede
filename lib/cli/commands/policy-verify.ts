import { parseArgs } from 'node:util';

import type { ChangeClass } from '@/lib/authority/policy-revision';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { verifyPolicyText } from '@/lib/authority/verify-policy-revision';
import { exitCode, type Command } from '@/lib/cli/command';
import { lookAtAuthority, withWorkspace } from '@/lib/cli/open-console';
import { readPolicyFile, readSignatureFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { verifySignature } from '@/lib/server/verify-signature';
import { unproved } from '@/lib/services/console/policy-base';
import type { PolicyInForce } from '@/lib/services/in-force';
import { changeOf } from '@/lib/services/judge-change';
import { digestOf } from '@/lib/shared/encoding';
import { ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign policy verify FILE…

Checks FILE.sig.json: that it signs the exact bytes of FILE, by as many owners of the pinned trust root as it takes in the place of the
policy in force (fewer, where that is proved to tighten), and that the policy loads. It says nothing about which revision is in force: "countersign trust show" does.
Exit: 0 every policy holds, 1 one does not, 2 usage, no database, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
    if (positionals.length === 0) throw new UsageError('Give at least one policy.');
    return await withWorkspace(terminal, async (open) => {
      const { root, roster, policy, refusal, denied } = await lookAtAuthority(open);
      if (!root) {
        printFault(terminal, refusal ?? { code: denied ?? 'trust_root_invalid', detail: 'There is no trust root to check against.' });
        return exitCode.refused;
      }
      const nameOf = (person: string): string => roster?.roster.people.find(({ id }) => id === person)?.name ?? person;
      let good = true;
      for (const file of positionals) {
        const checked = await check(file, root.root, policy);
        if (checked.ok) terminal.out(`${file}: sha256:${checked.value.digest}, signed by ${checked.value.signers.map(nameOf).join(', ')}\n`);
        else printFault(terminal, { ...checked.error, detail: `${file}: ${checked.error.detail}` }, file);
        good &&= checked.ok;
      }
      return good ? exitCode.done : exitCode.refused;
    });
  },
};

async function check(file: string, root: TrustRoot, inForce: PolicyInForce | null): Promise<Result<{ readonly digest: string; readonly signers: readonly string[] }>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const { bytes, text, format } = policy.value;
  const signature = await readSignatureFile(file);
  if (!signature.ok) return signature;
  const signedAs = (change: ChangeClass) => verifyPolicyText(bytes, signature.value, root, change, { verify: verifySignature, sha256: nodeSha256 });
  const anyhow = await signedAs(unproved);
  const signers = !anyhow.ok && inForce && changeOf(inForce, { text, format }, compilePolicyText) === 'tighten' ? await signedAs('tighten') : anyhow;
  if (!signers.ok) return signers;
  const compiled = compilePolicyText(text, format);
  return compiled.ok ? ok({ digest: digestOf(nodeSha256, bytes), signers: signers.value }) : compiled;
}
