import { signedByOwners } from '@/lib/authority/signed-by-owners';
import { signersThatCount } from '@/lib/authority/signers-that-count';
import type { TrustRoot } from '@/lib/authority/trust-root';
import type { Cryptography } from '@/lib/authority/verify-trust-root';
import type { ProposalSignatureRow } from '@/lib/ports/proposal-store';
import { envelopePayload, parseEnvelope, type Envelope } from '@/lib/shared/dsse';
import { bytesEqual, toBase64 } from '@/lib/shared/encoding';
import type { PersonId } from '@/lib/shared/ids';

import type { DocumentToBeSigned } from './proposal-target';

export type MergedSignatures = {
  /** One envelope a document, with everybody's signature. */
  readonly envelopes: readonly Envelope[];
  /** Owners in the root in force who signed every document, in the order in which they signed. */
  readonly signers: readonly PersonId[];
  readonly counted: readonly PersonId[];
  /** Log time of the signature with which there were enough; null: there are not. */
  readonly enough_at: string | null;
};

/**
 * What rows of signatures are worth now: each is verified here again with the key that the root in force lists, over the very bytes that
 * take effect. A row that does not hold is passed over, as if it were not there.
 */
export async function mergedSignatures(
  rows: readonly ProposalSignatureRow[],
  documents: readonly DocumentToBeSigned[],
  proofDigest: string,
  root: TrustRoot,
  needed: number,
  notCounted: readonly string[],
  cryptography: Cryptography,
): Promise<MergedSignatures> {
  const envelopes = documents.map(({ payload_type: payloadType, bytes }): Envelope => ({ payloadType, payload: toBase64(bytes), signatures: [] }));
  const signers: PersonId[] = [];
  let merged: readonly Envelope[] = envelopes;
  let enough: string | null = null;
  for (const row of rows) {
    if (row.proof_digest !== proofDigest || signers.includes(row.person)) continue;
    const own = await ownSignatures(row, documents, root, cryptography);
    if (!own) continue;
    signers.push(row.person);
    merged = merged.map((envelope, at) => ({ ...envelope, signatures: [...envelope.signatures, ...(own[at]?.signatures ?? [])] }));
    if (enough === null && signersThatCount(signers, needed, notCounted).length >= needed) enough = row.signed_at;
  }
  return { envelopes: merged, signers, counted: signersThatCount(signers, needed, notCounted), enough_at: enough };
}

async function ownSignatures(row: ProposalSignatureRow, documents: readonly DocumentToBeSigned[], root: TrustRoot, { verify }: Cryptography): Promise<readonly Envelope[] | undefined> {
  if (row.documents.length !== documents.length) return undefined;
  const own: Envelope[] = [];
  for (const [at, document] of documents.entries()) {
    const envelope = parseEnvelope(row.documents[at] ?? '');
    if (!envelope.ok || !(await isSignedBy(envelope.value, document, row.person, root, { verify }))) return undefined;
    own.push(envelope.value);
  }
  return own;
}

/** True when the envelope holds exactly this document with one signature, by a key of this owner that may sign it. */
export async function isSignedBy(envelope: Envelope, document: DocumentToBeSigned, person: PersonId, root: TrustRoot, { verify }: Pick<Cryptography, 'verify'>): Promise<boolean> {
  const payload = envelope.payloadType === document.payload_type ? envelopePayload(envelope) : undefined;
  if (!payload || !bytesEqual(payload, document.bytes) || envelope.signatures.length !== 1) return false;
  const { people } = await signedByOwners(envelope, root, 'policy', verify);
  return people.length === 1 && people[0] === person;
}
