import { readEnvelope } from '@/lib/shared/dsse';
import { isDigest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';
import { fail, ok, type Result } from '@/lib/shared/result';

import { textOf, type Leaf } from './leaf';

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
  if (typeof previous !== 'string' || !isDigest(previous)) return undefined;
  return { envelope: read, index, previous };
}
