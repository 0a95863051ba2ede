import { z } from 'zod';

import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { boundedText, idField, timestampField } from '@/lib/shared/document-fields';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import { digestOf } from '@/lib/shared/encoding';
import type { Digest, PersonId, WorkspaceId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';
import type { Timestamp } from '@/lib/shared/timestamp';

import { statementTypes, type GrantStatement } from './owner-statements';
import { signedByOwners } from './signed-by-owners';
import type { TrustRoot } from './trust-root';
import type { Cryptography } from './verify-trust-root';

/** Bytes of one grant at most. */
const mostGrantBytes = 16 * 1024;
/** Executions that one grant allows at most. */
const mostUses = 10_000;

const json = z.custom<Json>((value) => value !== undefined);

const statement = z.strictObject({
  schema: z.literal('countersign/grant/v1'),
  workspace: idField('workspace'),
  signed_at: timestampField,
  grant: idField('grant'),
  agent: boundedText(200),
  tool: boundedText(200),
  operation: boundedText(200).nullable(),
  scope: json,
  uses: z.int().min(1).max(mostUses),
  expires_at: timestampField,
  reason: boundedText(4096).exactOptional(),
  replaces: idField('grant').exactOptional(),
});

/** A grant as owners signed it. */
export type SignedGrant = { readonly terms: GrantStatement; readonly workspace: WorkspaceId; readonly signed_at: Timestamp; readonly digest: Digest };

/** Different owners who have to sign a grant: it loosens, and only signatures of owners loosen. */
export const neededGrantSigners = ({ thresholds }: Pick<TrustRoot, 'thresholds'>): number => Math.max(thresholds.policy, thresholds.loosening);

/** What an envelope grants, whoever signed it. `grant_invalid` when it is no grant or not written canonically. */
export function readGrant(envelope: Envelope, { sha256 }: Pick<Cryptography, 'sha256'>): Result<SignedGrant> {
  const bytes = envelope.payloadType === statementTypes.grant ? envelopePayload(envelope) : undefined;
  if (!bytes) return fail('grant_invalid', 'The envelope does not hold a grant.');
  const document = readCanonicalDocument(bytes, mostGrantBytes);
  const read = document.ok ? statement.safeParse(document.value) : undefined;
  if (!read?.success) return fail('grant_invalid', 'The signed grant cannot be read.', { cause: document.ok ? read?.error : document.error });
  const { schema: _schema, workspace, signed_at, ...terms } = read.data;
  return ok({ terms, workspace, signed_at, digest: digestOf(sha256, bytes) });
}

/**
 * A grant that enough owners of this root have signed. Failures: `grant_invalid`, `signature_invalid` (one does not verify, or is no
 * owner's), `key_kind_refused`, `policy_signers_too_few`.
 */
export async function verifyGrant(envelope: Envelope, root: TrustRoot, cryptography: Cryptography): Promise<Result<SignedGrant & { readonly signers: readonly PersonId[] }>> {
  const read = readGrant(envelope, cryptography);
  if (!read.ok) return read;
  if (read.value.workspace !== root.workspace) return fail('grant_invalid', 'The grant was signed for another workspace.');
  const { people, invalid, unknown, kindRefused } = await signedByOwners(envelope, root, 'policy', cryptography.verify);
  if (invalid) return fail('signature_invalid', 'A signature on the grant does not verify.');
  const needed = neededGrantSigners(root);
  if (people.length >= needed) return ok({ ...read.value, signers: people });
  if (kindRefused) return fail('key_kind_refused', 'The trust root does not let this kind of key sign grants.');
  if (unknown) return fail('signature_invalid', 'A key that signed the grant is no key of an owner.');
  return fail('policy_signers_too_few', `${people.length} of ${needed} needed owners have signed the grant.`);
}
