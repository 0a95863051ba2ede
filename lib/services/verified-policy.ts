import type { ChangeClass, PolicyRevisionStatement } from '@/lib/authority/policy-revision';
import type { VerifiedTrustRoot } from '@/lib/authority/trust-root';
import { verifyPolicyRevision } from '@/lib/authority/verify-policy-revision';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { PolicyRow } from '@/lib/ports/authority-store';
import { bounds } from '@/lib/shared/bounds';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { bytesEqual, fromUtf8, utf8 } from '@/lib/shared/encoding';
import { isDigest } from '@/lib/shared/ids';
import { fail, ok, type Result } from '@/lib/shared/result';
import { parseStrictJson } from '@/lib/shared/strict-json';

import type { CompilePolicy, PolicyInForce } from './in-force';

/** What owners signed about a revision's place, beside what is in force of it. */
export type VerifiedPolicy = { readonly policy: PolicyInForce; readonly statement: PolicyRevisionStatement };

/**
 * A stored revision, verified and compiled from the very bytes that were verified. `change` is the class that this process found itself;
 * `not_proved` where it has not looked, which asks for the signatures of loosening: never fewer than the true class would.
 */
export async function verifiedPolicy(
  row: PolicyRow,
  root: VerifiedTrustRoot,
  change: ChangeClass,
  cryptography: Cryptography,
  compile: CompilePolicy,
): Promise<Result<VerifiedPolicy>> {
  if (!isDigest(row.digest)) return fail('policy_altered', `The row of revision ${row.revision} has no digest.`);
  const signature = parseEnvelope(row.signature);
  const statement = parseEnvelope(row.statement);
  const cut = cutOff(row, signature.ok ? envelopePayload(signature.value) : undefined);
  if (cut !== null) return fail('policy_half_written', `Of revision ${row.revision} only a part of the ${cut} is there.`, { fix: 'Apply it again from its file.' });
  const stored = {
    bytes: utf8(row.text),
    digest: row.digest,
    signature: signature.ok ? signature.value : null,
    apply: statement.ok ? statement.value : null,
  };
  const verified = await verifyPolicyRevision(stored, root.root, change, cryptography);
  if (!verified.ok) return verified;
  const { bytes, statement: place, signers } = verified.value;
  if (place.revision < row.revision) return fail('policy_replayed', `The row says revision ${row.revision}, the owners signed this text as revision ${place.revision}.`);
  if (place.revision !== row.revision) return fail('policy_altered', `The row says revision ${row.revision}, the owners signed ${place.revision}.`);
  const text = fromUtf8(bytes);
  if (text === undefined) return fail('policy_invalid', 'The policy is not UTF-8.');
  const compiled = compile(text, row.format);
  if (!compiled.ok) return compiled;
  const policy = { revision: row.revision, digest: row.digest, compiled: compiled.value, text, format: row.format, signers, change, applied_at: row.applied_at, stored: { signature: row.signature, statement: row.statement } };
  return ok({ policy, statement: place });
}

/** Which part ends in the middle: a signature that is no whole JSON, or a text that goes on in what was signed. Null: none. */
function cutOff({ signature, statement, text }: PolicyRow, signed: Uint8Array | undefined): 'signature' | 'statement' | 'text' | null {
  const limits = { depth: 8, nodes: 10_000, length: 4 * bounds.policyBytes };
  if (signature !== '' && !parseStrictJson(signature, limits).ok) return 'signature';
  if (statement !== '' && !parseStrictJson(statement, limits).ok) return 'statement';
  const bytes = utf8(text);
  return signed !== undefined && bytes.length < signed.length && bytesEqual(bytes, signed.subarray(0, bytes.length)) ? 'text' : null;
}
