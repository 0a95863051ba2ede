import { readFile } from 'node:fs/promises';

import { formatOf } from '@/lib/policy/read-text';
import { bounds } from '@/lib/shared/bounds';
import { readEnvelope, type Envelope } from '@/lib/shared/dsse';
import { fromUtf8 } from '@/lib/shared/encoding';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

export type PolicyFile = { readonly file: string; readonly bytes: Uint8Array; readonly text: string; readonly format: ReturnType<typeof formatOf> };

/** `NAME.yaml` has `NAME.yaml.sig.json` beside it. */
export const signatureFileOf = (file: string): string => `${file}.sig.json`;

/** The exact bytes of a policy. `policy_invalid` when they are too many or no UTF-8; throws when the file cannot be read. */
export async function readPolicyFile(file: string): Promise<Result<PolicyFile>> {
  const bytes = new Uint8Array(await readFile(file));
  if (bytes.length > bounds.policyBytes) return fail('policy_invalid', `${file} has ${String(bytes.length)} bytes; a policy has at most ${String(bounds.policyBytes)}.`);
  const text = fromUtf8(bytes);
  return text === undefined ? fail('policy_invalid', `${file} is not UTF-8.`) : ok({ file, bytes, text, format: formatOf(file) });
}

/**
 * The signature beside a policy. Spaces and line ends do not matter here: the envelope is written canonically before it is used.
 * `policy_signature_missing`, `policy_half_written`, `policy_signature_invalid`.
 */
export async function readSignatureFile(file: string): Promise<Result<Envelope>> {
  const name = signatureFileOf(file);
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    return fail('policy_signature_missing', `There is no ${name}.`, { fix: `Sign it: countersign policy sign ${file} --key FILE` });
  }
  const json = parseStrictJson(text, { depth: 8, nodes: 10_000, length: 2 * bounds.policyBytes });
  if (!json.ok) return fail('policy_half_written', `${name} is no whole JSON: ${json.error.detail}`, { fix: `Sign it again: countersign policy sign ${file} --key FILE` });
  const envelope = readEnvelope(json.value);
  return envelope === undefined ? fail('policy_signature_invalid', `${name} is no DSSE envelope.`) : ok(envelope);
}
