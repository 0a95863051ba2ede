import { keyEnrolmentPayloadType, keyEnrolmentSchema, type KeyEnrolment } from '@/lib/authority/key-enrolment';
import { idField, publicKeyField, timestampField } from '@/lib/shared/document-fields';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import { parseDocument } from '@/lib/shared/parse-document';
import { z } from 'zod';

const document: z.ZodType<KeyEnrolment> = z.strictObject({
  schema: z.literal(keyEnrolmentSchema),
  workspace: idField('workspace'),
  person: idField('person'),
  key: publicKeyField,
  at: timestampField,
});

/** What an enrolment's envelope says; it proves nothing. `verifyKeyEnrolment` does. Undefined when it cannot be read. */
export function enrolmentOf(envelopeText: string): KeyEnrolment | undefined {
  const envelope = parseEnvelope(envelopeText);
  const bytes = envelope.ok && envelope.value.payloadType === keyEnrolmentPayloadType ? envelopePayload(envelope.value) : undefined;
  const parsed = bytes && parseDocument(document, bytes, 4096);
  return parsed?.ok ? parsed.value : undefined;
}
