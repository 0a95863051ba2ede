import { canonicalJson } from './canonical-json';
import { fromUtf8 } from './encoding';
import type { Json } from './json';
import { hasMoreValues } from './many-values';
import { fail, ok, type Result } from './result';

/** Values in one document at most: of the largest bundle, one for every sixteen bytes. */
export const mostValues = 2 ** 24;

/**
 * Reads bytes that must be the canonical JSON (RFC 8785) of their own value. Whatever would be written differently
 * (spaces, key order, a key named twice, `1.0`) is `invalid_input`, so that one document has one digest.
 */
export function readCanonicalDocument(bytes: Uint8Array, maxBytes: number): Result<Json> {
  if (bytes.length > maxBytes) return fail('too_large', `The document is over ${maxBytes} bytes.`);
  if (hasMoreValues(bytes, mostValues)) return fail('too_large', `The document has over ${mostValues} values.`);
  const text = fromUtf8(bytes);
  if (text === undefined) return fail('invalid_unicode', 'The document is not UTF-8.');
  try {
    const value = JSON.parse(text) as Json;
    // A nesting that exhausts the stack throws here and is refused like any other unreadable text.
    if (canonicalJson(value) !== text) return fail('invalid_input', 'The document is not written canonically.');
    return ok(value);
  } catch (cause) {
    return fail('invalid_input', 'The document is not canonical JSON.', { cause });
  }
}
