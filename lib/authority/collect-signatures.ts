import type { Envelope } from '@/lib/shared/dsse';

/**
 * One envelope with the signatures of both, each key's once, the later ones winning. Undefined when they are not over the same bytes
 * of the same type: a signature is never carried over to another text.
 */
export function collectSignatures(kept: Envelope, added: Envelope): Envelope | undefined {
  if (kept.payloadType !== added.payloadType || kept.payload !== added.payload) return undefined;
  const others = kept.signatures.filter(({ keyid }) => !added.signatures.some((one) => one.keyid === keyid));
  return { ...added, signatures: [...others, ...added.signatures] };
}
