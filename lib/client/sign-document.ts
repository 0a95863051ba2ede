import type { DocumentToSign } from '@/lib/contracts/console/set-up';
import { envelopeText, preAuthenticationEncoding, signEnvelope, type Envelope, type Signer } from '@/lib/shared/dsse';
import { fromBase64, toBase64, utf8 } from '@/lib/shared/encoding';

/** Signs exactly the text that was shown, under its payload type. The answer is the envelope's one text. */
export const signDocument = async ({ payload_type, text }: DocumentToSign, signer: Signer): Promise<string> =>
  envelopeText(await signEnvelope(payload_type, utf8(text), [signer]));

/** Adds a signature over the same payload to an envelope that others have signed. Throws on a payload that is not base64: it was parsed before. */
export async function countersign(envelope: Envelope, signer: Signer): Promise<string> {
  const payload = fromBase64(envelope.payload);
  if (!payload) throw new TypeError('The envelope’s payload is not base64.');
  const sig = toBase64(await signer.sign(preAuthenticationEncoding(envelope.payloadType, payload)));
  return envelopeText({ ...envelope, signatures: [...envelope.signatures.filter(({ keyid }) => keyid !== signer.keyId), { keyid: signer.keyId, sig }] });
}
