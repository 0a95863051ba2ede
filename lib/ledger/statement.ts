import { z } from 'zod';

import { asJson } from '@/lib/shared/as-json';
import { readCanonicalDocument } from '@/lib/shared/canonical-document';
import { canonicalBytes } from '@/lib/shared/canonical-json';
import { envelopePayload, type Envelope } from '@/lib/shared/dsse';
import type { Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import { fail, type Result } from '@/lib/shared/result';

import { bodyOf, parsePredicate, predicateTypeOf } from './parse-predicate';
import type { ReceiptBody, ReceiptKind, ReceiptPredicate } from './receipt-predicate';
import { subjectOf } from './subject';

/** What a receipt's envelope states as its payload type. Source: in-toto attestation framework, envelope layer. */
export const statementPayloadType = 'application/vnd.in-toto+json';
const statementType = 'https://in-toto.io/Statement/v1';

/** A receipt's statement is never larger; its largest part is the basis or vote that it embeds. */
export const maxStatementBytes = 1024 * 1024;

/** An in-toto Statement v1. Source: github.com/in-toto/attestation, spec/v1/statement.md. */
export type Statement<Kind extends ReceiptKind = ReceiptKind> = {
  readonly _type: typeof statementType;
  readonly subject: readonly [{ readonly name: string; readonly digest: { readonly sha256: Digest } }];
  readonly predicateType: string;
  readonly predicate: ReceiptPredicate<Kind>;
};

/** The statement of a receipt. Its subject follows from the predicate, so nobody can state one thing and name another. */
export function buildStatement<Kind extends ReceiptKind>(sha256: Sha256, kind: Kind, predicate: ReceiptPredicate<Kind>): Statement<Kind> {
  const subject = subjectOf(sha256, bodyOf(kind, predicate));
  return {
    _type: statementType,
    predicate,
    predicateType: predicateTypeOf(kind),
    subject: [{ digest: { sha256: subject.digest }, name: subject.name }],
  };
}

/** The bytes that the receipt's signature covers: the statement as canonical JSON. Throws on a value without canonical form. */
export const statementBytes = (statement: Statement): Uint8Array => canonicalBytes(asJson(statement));

const outline = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string() }) })]),
  predicateType: z.string(),
  predicate: z.unknown(),
});

/**
 * Reads a receipt's envelope into its kind and predicate. Strict: another payload type, bytes that are not the canonical
 * JSON of their value, an unknown kind or field, or a subject that is not the predicate's own is `invalid_input`.
 */
export function readStatement(sha256: Sha256, envelope: Envelope): Result<ReceiptBody> {
  if (envelope.payloadType !== statementPayloadType) return fail('invalid_input', `The payload type is ${envelope.payloadType}.`);
  const bytes = envelopePayload(envelope);
  if (!bytes) return fail('invalid_input', 'The payload is not canonical base64.');
  const document = readCanonicalDocument(bytes, maxStatementBytes);
  if (!document.ok) return document;
  const read = outline.safeParse(document.value);
  if (!read.success) return fail('invalid_input', 'The payload is not an in-toto statement.', { cause: read.error });
  const body = parsePredicate(read.data.predicateType, read.data.predicate);
  if (!body.ok) return body;
  const [stated] = read.data.subject;
  const subject = subjectOf(sha256, body.value);
  if (stated.name !== subject.name || stated.digest.sha256 !== subject.digest) {
    return fail('invalid_input', 'The statement names a subject that is not its predicate’s.');
  }
  return body;
}
