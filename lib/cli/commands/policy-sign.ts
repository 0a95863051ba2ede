import path from 'node:path';
import { parseArgs } from 'node:util';

import { policyPayloadType } from '@/lib/authority/policy-revision';
import { signPolicy } from '@/lib/authority/policy-statement';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { exitCode, type Command, type Terminal } from '@/lib/cli/command';
import { readKeyFiles } from '@/lib/cli/key-files';
import { hasDatabase, lookAtAuthority, withWorkspace } from '@/lib/cli/open-console';
import { readPolicyFile, readSignatureFile, signatureFileOf, type PolicyFile } from '@/lib/cli/policy-file';
import { printFault } from '@/lib/cli/print-fault';
import { UsageError } from '@/lib/cli/usage-error';
import { draftFile } from '@/lib/server/whole-file';
import { compilePolicyText } from '@/lib/server/compile-policy-text';
import type { SigningKey } from '@/lib/server/ed25519';
import { parseEnvironment } from '@/lib/server/env';
import { nodeSha256 } from '@/lib/server/node-sha256';
import { envelopePayload, envelopeText, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign policy sign FILE --key FILE…

Signs the exact bytes of a policy with an owner's key (PKCS#8 PEM, Ed25519) and writes FILE.sig.json beside it. Signatures of other
owners over the same bytes are kept. Where the settings lead to a database, the key has to be an owner's there.
Without --key: keys held by a browser sign in the console, whose address is printed.
Exit: 0 signed, 1 refused, 2 usage, no key, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { key: { type: 'string', multiple: true } } });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one policy.');
    if (values.key === undefined) return pointToConsole(terminal);
    const keys = await readKeyFiles(values.key);
    const signed = await sign(file, keys, terminal);
    if (signed.ok) {
      terminal.out(`${signed.value}\n`);
      return exitCode.done;
    }
    printFault(terminal, signed.error, file);
    return exitCode.refused;
  },
};

/** Signing needs a key, and this process has none: where a person can. */
export function pointToConsole(terminal: Terminal): number {
  terminal.err(`error: No key was given. A key that a browser holds signs in the console: ${parseEnvironment(terminal.env).consoleUrl}/policies`);
  terminal.err('fix: Open that page, or give an owner’s key file with --key.');
  return exitCode.unusable;
}

async function sign(file: string, keys: readonly SigningKey[], terminal: Terminal): Promise<Result<string>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const compiled = compilePolicyText(policy.value.text, policy.value.format);
  if (!compiled.ok) return compiled;
  const allowed = await ownersOnly(keys, terminal);
  if (!allowed.ok) return allowed;
  const envelope = await withEarlier(policy.value, await signPolicy(policy.value.bytes, keys.map(({ signer }) => signer)));
  const draft = await draftFile(path.resolve(signatureFileOf(file)), 0o644);
  await draft.commit(utf8(`${envelopeText(envelope)}\n`));
  const by = `${String(envelope.signatures.length)} ${envelope.signatures.length === 1 ? 'signature' : 'signatures'}`;
  return ok(`${signatureFileOf(file)}: ${by} over sha256:${digestOf(nodeSha256, policy.value.bytes)}`);
}

/** A signature that no root lists would only be found out at apply. Without a database nobody can tell, and that is said. */
async function ownersOnly(keys: readonly SigningKey[], terminal: Terminal): Promise<Result<null>> {
  if (!hasDatabase(parseEnvironment(terminal.env))) {
    terminal.err('There is no database here, so nobody checked that the key is an owner’s.');
    return ok(null);
  }
  const { root, refusal, denied } = await withWorkspace(terminal, lookAtAuthority);
  if (root) return refuseStrangers(keys, root.root);
  return fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root yet.', { fix: refusal?.fix ?? 'Set Countersign up first.' });
}

export function refuseStrangers(keys: readonly SigningKey[], root: TrustRoot): Result<null> {
  for (const { id } of keys) {
    const owner = root.owners.find(({ key }) => key.id === id);
    if (!owner) return fail('policy_signer_unknown', `The key ${id} is no owner’s.`, { fix: '"countersign trust show" lists the owners’ keys.' });
    if (!root.key_kinds.policy.includes(owner.key.kind)) return fail('key_kind_refused', `The trust root does not let a ${owner.key.kind} key sign policies.`);
  }
  return ok(null);
}

/** The new signatures, and those of others over the same bytes. */
async function withEarlier({ file, bytes }: PolicyFile, fresh: Envelope): Promise<Envelope> {
  const earlier = await readSignatureFile(file);
  const payload = earlier.ok && earlier.value.payloadType === policyPayloadType ? envelopePayload(earlier.value) : undefined;
  if (!earlier.ok || !payload || !bytesEqual(payload, bytes)) return fresh;
  const others = earlier.value.signatures.filter(({ keyid }) => !fresh.signatures.some((one) => one.keyid === keyid));
  return { ...fresh, signatures: [...others, ...fresh.signatures] };
}
