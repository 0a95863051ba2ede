import { utf8 } from './encoding';
import type { Json } from './json';

/**
 * RFC 8785 (JCS): one text for one value, so that digests and signatures mean the value.
 * Throws on what has no canonical form (lone surrogate, NaN, infinity, undefined): by then the value should have been parsed.
 * A value whose names already stand in order is written by the runtime in one go: receipts and snapshots are built that way,
 * because writing them piece by piece is a fifth of what deciding costs.
 */
export const canonicalJson = (value: Json): string => (isInOrder(value) ? JSON.stringify(value) : inOrder(value));

export const canonicalBytes = (value: Json): Uint8Array => utf8(canonicalJson(value));

/**
 * Whether all names, at every depth, stand in the order of the standard (UTF-16 code units). Then `JSON.stringify` writes
 * exactly the canonical text, numbers and escapes included. Throws on what has no canonical form.
 */
export function isInOrder(value: Json): boolean {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('A lone surrogate has no canonical form.');
      return true;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number that is not finite has no canonical form.');
      return true;
    case 'boolean':
      return true;
    case 'object':
      return value === null || (Array.isArray(value) ? isListInOrder(value) : areNamesInOrder(value as Record<string, Json>));
    default:
      throw new TypeError(`A value of type ${typeof value} has no canonical form.`);
  }
}

function isListInOrder(list: readonly Json[]): boolean {
  let sorted = true;
  // A hole of a sparse list is undefined here, and refused.
  for (let i = 0; i < list.length; i++) sorted = isInOrder(list[i] as Json) && sorted;
  return sorted;
}

function areNamesInOrder(record: Record<string, Json>): boolean {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('Only plain objects have a canonical form.');
  let sorted = true;
  let previous: string | null = null;
  for (const name in record) {
    if (previous !== null && previous > name) sorted = false;
    if (!name.isWellFormed()) throw new TypeError('A lone surrogate has no canonical form.');
    sorted = isInOrder(record[name] as Json) && sorted;
    previous = name;
  }
  return sorted;
}

/** The text of a value in which some names are out of order; the parts in which none is are written in one go. */
function inOrder(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item as Json)).join(',')}]`;
  const record = value as Record<string, Json>;
  // The default sort compares UTF-16 code units. Sorting a copy would not do: an object keeps names like "10" and "9" in its own order.
  const members = Object.keys(record).sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(record[name] as Json)}`);
  return `{${members.join(',')}}`;
}
