import path from 'node:path';
import { parseArgs } from 'node:util';

import { policyPayloadType } from '@/lib/authority/policy-revision';
import { signPolicy } from '@/lib/authority/policy-statement';
import { signedByOwners } from '@/lib/authority/signed-by-owners';
import type { TrustRoot } from '@/lib/authority/trust-root';
import { askBrowser, waitSeconds } from '@/lib/cli/ask-browser';
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
import { verifySignature } from '@/lib/server/verify-signature';
import type { InForce } from '@/lib/services/in-force';
import { envelopePayload, envelopeText, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, digestOf, utf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';

const usage = `usage: countersign policy sign FILE [--key FILE…] [--wait SECONDS]

Signs the exact bytes of a policy with an owner's key (PKCS#8 PEM, Ed25519) and writes FILE.sig.json beside it. Signatures of other
owners over the same bytes are kept. Where the settings lead to a database, the key has to be an owner's there.
Without --key: prints a one-time link to the console, where an owner signs with a key that a browser or a device holds, and waits for it.
  --wait N   seconds to wait for the browser; 900 when left out
Exit: 0 signed, 1 refused, or nobody signed in time, 2 usage, no key and no database, or a file cannot be read.`;

export const command: Command = {
  usage,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { key: { type: 'string', multiple: true }, wait: { type: 'string' } } });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('Give one policy.');
    const seconds = waitSeconds(values.wait);
    const signed = values.key === undefined ? await signInBrowser(file, seconds, terminal) : await sign(file, await readKeyFiles(values.key), terminal);
    if (signed.ok) {
      terminal.out(`${signed.value}\n`);
      return exitCode.done;
    }
    printFault(terminal, signed.error, file);
    return exitCode.refused;
  },
};

/** The owner's signature comes back through the database, and counts only if it is an owner's over this file's own bytes. */
async function signInBrowser(file: string, seconds: number, terminal: Terminal): Promise<Result<string>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const { bytes, text, format } = policy.value;
  const compiled = compilePolicyText(text, format);
  if (!compiled.ok) return compiled;
  return await withWorkspace(terminal, async (open) => {
    const { root, refusal, denied } = await lookAtAuthority(open);
    if (!root) return noRoot(denied, refusal);
    const request = { purpose: 'sign', name: path.basename(file), text, format, signature: null, place: null, restores: null, reason: null } as const;
    const asked = await askBrowser(terminal, open, request, seconds);
    if (!asked.ok) return asked;
    const envelope = parseEnvelope(asked.value.signature ?? '');
    if (!envelope.ok) return envelope;
    const payload = envelope.value.payloadType === policyPayloadType ? envelopePayload(envelope.value) : undefined;
    if (!payload || !bytesEqual(payload, bytes)) return fail('policy_altered', 'What came back signs another text than this file.', { fix: 'Find out who changes the database.' });
    const { people, invalid } = await signedByOwners(envelope.value, root.root, 'policy', verifySignature);
    if (invalid || people.length === 0) return fail('policy_signature_invalid', 'What came back is no owner’s signature on this file.');
    return ok(await write(policy.value, envelope.value));
  });
}

async function sign(file: string, keys: readonly SigningKey[], terminal: Terminal): Promise<Result<string>> {
  const policy = await readPolicyFile(file);
  if (!policy.ok) return policy;
  const compiled = compilePolicyText(policy.value.text, policy.value.format);
  if (!compiled.ok) return compiled;
  const allowed = await ownersOnly(keys, terminal);
  if (!allowed.ok) return allowed;
  return ok(await write(policy.value, await signPolicy(policy.value.bytes, keys.map(({ signer }) => signer))));
}

/** Whole and durable, or as before: half a signature file would read as a broken one. */
async function write(policy: PolicyFile, fresh: Envelope): Promise<string> {
  const envelope = await withEarlier(policy, fresh);
  const draft = await draftFile(path.resolve(signatureFileOf(policy.file)), 0o644);
  await draft.commit(utf8(`${envelopeText(envelope)}\n`));
  const by = `${String(envelope.signatures.length)} ${envelope.signatures.length === 1 ? 'signature' : 'signatures'}`;
  return `${signatureFileOf(policy.file)}: ${by} over sha256:${digestOf(nodeSha256, policy.bytes)}`;
}

/** A signature that no root lists would only be found out at apply. Without a database nobody can tell, and that is said. */
async function ownersOnly(keys: readonly SigningKey[], terminal: Terminal): Promise<Result<null>> {
  if (!hasDatabase(parseEnvironment(terminal.env))) {
    terminal.err('There is no database here, so nobody checked that the key is an owner’s.');
    return ok(null);
  }
  const { root, refusal, denied } = await withWorkspace(terminal, lookAtAuthority);
  if (root) return refuseStrangers(keys, root.root);
  return noRoot(denied, refusal);
}

const noRoot = (denied: InForce['denied'], refusal: InForce['refusal']) =>
  fail(denied ?? 'trust_root_invalid', refusal?.detail ?? 'There is no trust root yet.', { fix: refusal?.fix ?? 'Set Countersign up first.' });

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
