import { isMap, isScalar, isSeq, type Document, type Scalar } from 'yaml';

import type { Path } from './diagnostics';

/**
 * The offset of a path: of the name where the path ends in one, else of the item; the nearest one above that exists. With `within`
 * that many characters into the text that stands at the path.
 */
export function placeIn(document: Document.Parsed, text: string, path: Path, within?: number): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && item.key.value === part);
      if (!pair) return offset;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part];
      if (isScalar(node) || isMap(node) || isSeq(node)) offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return within !== undefined && isScalar(node) ? placeInScalar(node, text, within) : offset;
}

/** Quotes and escapes are longer in the source than in the value; folded lines are found by what stands at the place. */
function placeInScalar({ range, value, type }: Scalar, text: string, within: number): number {
  const [start, end] = [range?.[0] ?? 0, range?.[1] ?? 0];
  if (typeof value !== 'string') return start;
  const source = text.slice(start, end);
  if ((type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') && !source.includes('\n')) return start + skipQuoted(source, within);
  const literal = source.indexOf(value);
  if (literal >= 0) return start + literal + within;
  // The rest of the line that the place is on, as long as it stands in the source as it is.
  const lineStart = value.lastIndexOf('\n', within - 1) + 1;
  const line = value.slice(lineStart).split('\n')[0] ?? '';
  const found = source.indexOf(line);
  return found >= 0 ? start + found + (within - lineStart) : start;
}

/** Characters of the source before the value's character at that place, opening quote included. */
function skipQuoted(source: string, within: number): number {
  const double = source.startsWith('"');
  let at = 1;
  for (let left = within; left > 0 && at < source.length; left -= 1) {
    if (double && source[at] === '\\') at += { x: 4, u: 6, U: 10 }[source[at + 1] ?? ''] ?? 2;
    else at += !double && source.startsWith("''", at) ? 2 : 1;
  }
  return at;
}
