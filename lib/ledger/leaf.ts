import { readEnvelope, envelopeText, type Envelope } from '@/lib/shared/dsse';
import { fromHex, toHex, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { hashLeaf } from './merkle/hash';

/** What stands as `previous` in the first leaf of a log. */
export const firstPrevious = '0'.repeat(64) as Digest;

/** One entry of the log: a receipt's envelope, its position, and the hash of the leaf before it. */
export type Leaf = { readonly envelope: Envelope; readonly index: number; readonly previous: Digest };

/**
 * The leaf's exact text: canonical JSON, joined from the envelope's canonical text so that appending parses nothing.
 * The names stand in canonical order already. `previous` is the hex leaf hash of the leaf before.
 */
export const leafText = (envelope: string, index: number, previous: string): string =>
  `{"envelope":${envelope},"index":${index},"previous":"${previous}"}`;

/** RFC 6962 leaf hash of the leaf's text: what the tree holds and the next leaf names. */
export const leafHashOf = (sha256: Sha256, text: string): Uint8Array => hashLeaf(sha256, utf8(text));

/** The chain's link as it stands in the next leaf. */
export const previousOf = (leafHash: Uint8Array | undefined): Digest => (leafHash ? (toHex(leafHash) as Digest) : firstPrevious);

/** Reads a leaf back. Strict: whatever `leafText` would write differently is `invalid_input`. */
export function parseLeaf(text: string): Result<Leaf> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return fail('invalid_input', 'The leaf is not JSON.', { cause });
  }
  const leaf = readLeaf(value);
  if (!leaf || textOf(leaf) !== text) return fail('invalid_input', 'The leaf is not written as the log writes leaves.');
  return ok(leaf);
}

/** The same from a parsed value (a leaf inside a bundle); undefined when the shape is wrong. */
export function readLeaf(value: unknown): Leaf | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return undefined;
  const { envelope, index, previous } = value as Record<string, Json | undefined>;
  const read = readEnvelope(envelope);
  if (!read || typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) return undefined;
  if (typeof previous !== 'string' || fromHex(previous)?.length !== 32) return undefined;
  return { envelope: read, index, previous: previous as Digest };
}

export const textOf = (leaf: Leaf): string => leafText(envelopeText(leaf.envelope), leaf.index, leaf.previous);
