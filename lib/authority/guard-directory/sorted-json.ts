import { utf8 } from '@/lib/shared/encoding';
import { isJsonArray, isJsonObject, type Json } from '@/lib/shared/json';

/**
 * The one text of a document in a guard directory: keys in the order of their code points, two spaces a level, a line end at the end.
 * Programs in other languages write the same bytes, so digests agree; this is not RFC 8785, which has no spaces and orders by UTF-16.
 */
export const sortedJson = (document: Json): string => `${written(document, '\n')}\n`;

export const sortedJsonBytes = (document: Json): Uint8Array => utf8(sortedJson(document));

function written(value: Json, lineEnd: string): string {
  const inner = `${lineEnd}  `;
  if (isJsonArray(value)) {
    return value.length === 0 ? '[]' : `[${value.map((item) => inner + written(item, inner)).join(',')}${lineEnd}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b));
    return members.length === 0 ? '{}' : `{${members.map(([name, item]) => `${inner}${JSON.stringify(name)}: ${written(item, inner)}`).join(',')}${lineEnd}}`;
  }
  return JSON.stringify(value);
}

/** Like comparing the UTF-8 bytes. The host compares UTF-16, where a character beyond U+FFFF comes before U+E000. */
export function compareCodePoints(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  for (const [at, character] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
