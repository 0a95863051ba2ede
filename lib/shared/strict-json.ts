import { bounds } from './bounds';
import { fromUtf8 } from './encoding';
import type { Json } from './json';
import { exactNumber } from './parse-exact-number';
import { parseJsonSlowly } from './parse-json-slowly';
import { fail, ok, type Result } from './result';

/** Depth counts open arrays and objects; nodes count every value; text is measured in UTF-16 code units. */
export type JsonLimits = { readonly depth: number; readonly nodes: number; readonly length: number };

const usual: JsonLimits = { depth: bounds.jsonDepth, nodes: bounds.jsonNodes, length: bounds.bodyBytes };

/**
 * JSON (RFC 8259) as I-JSON (RFC 7493) wants it, so that one text means one value everywhere: refuses repeated keys
 * (`duplicate_key`), lone surrogates also when escaped (`invalid_unicode`), numbers that a double does not hold
 * (`number_not_exact`: integers beyond 2^53−1, over 17 significant digits, overflow, underflow to zero), and what is
 * over the limits (`too_deep`, `too_large`). Faults say where. Time is linear in the text.
 *
 * Every call of every agent passes here, so the common case is the host's own parser beside one scan that proves the
 * absence of what the host would let through. Whatever that scan does not like is parsed again slowly, for the words.
 */
export function parseStrictJson(input: string | Uint8Array, limits: JsonLimits = usual): Result<Json> {
  if (input.length > limits.length) return fail('too_large', `The JSON is over ${String(limits.length)} long.`);
  const text = typeof input === 'string' ? input : fromUtf8(input);
  if (text === undefined) return fail('invalid_unicode', 'The body is not valid UTF-8.');
  const scan = scanText(text, limits.depth);
  if (!scan) return parseJsonSlowly(text, limits);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // The slow parser refuses the same text and can say where.
    return parseJsonSlowly(text, limits);
  }
  const count = { nodes: 0, members: 0, wellFormed: true };
  measure(value, scan.escapes, count);
  // The host keeps the last of two equal keys: then the tree has fewer members than the text has colons.
  if (count.members !== scan.colons || count.nodes > limits.nodes || !count.wellFormed) return parseJsonSlowly(text, limits);
  return ok(value);
}

/** One pass over the text outside strings. Undefined: something needs the slow parser's judgement. */
function scanText(text: string, maxDepth: number): { readonly colons: number; readonly escapes: boolean } | undefined {
  if (!text.isWellFormed()) return undefined;
  let colons = 0;
  let depth = 0;
  let escapes = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      for (i++; i < text.length; i++) {
        const inside = text.charCodeAt(i);
        if (inside === 0x22) break;
        if (inside === 0x5c) {
          i++;
          if (text.charCodeAt(i) === 0x75) escapes = true;
        }
      }
    } else if (code === 0x3a) colons++;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return undefined;
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = i;
      // Minus zero must become zero: the slow parser does that.
      let plain = code !== 0x2d || text.charCodeAt(i + 1) !== 0x30;
      for (; i + 1 < text.length; i++) {
        const next = text.charCodeAt(i + 1);
        if (next >= 0x30 && next <= 0x39) continue;
        if (next !== 0x2e && next !== 0x65 && next !== 0x45 && next !== 0x2b && next !== 0x2d) break;
        plain = false;
      }
      if (!plain || i - start >= 15) {
        const value = exactNumber(text.slice(start, i + 1));
        if (value === undefined || (value === 0 && code === 0x2d)) return undefined;
      }
    }
  }
  return { colons, escapes };
}

/** Counts values and members; recursion is bounded because the scan bounded the depth. */
function measure(value: Json, checkText: boolean, count: { nodes: number; members: number; wellFormed: boolean }): void {
  count.nodes++;
  if (typeof value === 'string') {
    if (checkText && !value.isWellFormed()) count.wellFormed = false;
  } else if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) measure(item, checkText, count);
      return;
    }
    const members = value as Readonly<Record<string, Json>>;
    for (const name of Object.keys(members)) {
      count.members++;
      if (checkText && !name.isWellFormed()) count.wellFormed = false;
      measure(members[name] as Json, checkText, count);
    }
  }
}
