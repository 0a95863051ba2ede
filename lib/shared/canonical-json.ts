import { utf8 } from './encoding';
import type { Json } from './json';

/**
 * RFC 8785 (JCS): one text for one value, so that digests and signatures mean the value.
 * Throws on what has no canonical form (lone surrogate, NaN, infinity, undefined): by then the value should have been parsed.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number that is not finite has no canonical form.');
      return Object.is(value, -0) ? '0' : String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : canonicalComposite(value);
    default:
      throw new TypeError(`A value of type ${typeof value} has no canonical form.`);
  }
}

export const canonicalBytes = (value: Json): Uint8Array => utf8(canonicalJson(value));

function canonicalComposite(value: object): string {
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i > 0 ? ',' : '') + canonicalJson(value[i] as Json);
    return `${text}]`;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('Only plain objects have a canonical form.');
  const record = value as Record<string, Json>;
  // The default sort compares UTF-16 code units, which is the order the standard asks for.
  const names = Object.keys(record);
  if (!isSorted(names)) names.sort();
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    text += `${i > 0 ? ',' : ''}${canonicalName(name)}:${canonicalJson(record[name] as Json)}`;
  }
  return `${text}}`;
}

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if ((names[i - 1] as string) > (names[i] as string)) return false;
  return true;
}

/** Names come from a few schemas and return in every receipt; those of strangers' objects fill the table once and no more. */
const knownNames = new Map<string, string>();
const namesKept = 2000;

function canonicalName(name: string): string {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const text = canonicalString(name);
  if (knownNames.size < namesKept && name.length <= 40) knownNames.set(name, text);
  return text;
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('A lone surrogate has no canonical form.');
  // For well-formed text JSON.stringify writes exactly the escapes of RFC 8785.
  return JSON.stringify(text);
}
