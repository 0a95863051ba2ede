import { parseTrustRoot } from '@/lib/authority/parse-trust-root';
import { envelopePayload, parseEnvelope } from '@/lib/shared/dsse';
import type { KeyId } from '@/lib/shared/ids';

/** Whether a trust root, given as its envelope's text, lists the key among its owners'. Says nothing about its signatures. */
export function isOwnedBy(trustRoot: string, key: KeyId): boolean {
  const envelope = parseEnvelope(trustRoot);
  const payload = envelope.ok ? envelopePayload(envelope.value) : undefined;
  const root = payload ? parseTrustRoot(payload) : undefined;
  return root?.ok === true && root.value.owners.some((owner) => owner.key.id === key);
}
