import { bounds } from '@/lib/shared/bounds';
import type { Json } from '@/lib/shared/json';
import { parseOwnJson } from '@/lib/shared/parse-own-json';

/** In the worst case a character becomes six bytes of JSON; a text this long always fits into a body. */
const excerptLength = 32 * 1024;

/**
 * What a tool gave, as JSON that the plane takes: lone surrogates replaced, nothing for nothing, an excerpt of what is too large,
 * and a remark in place of what is no JSON at all. It has run by then, so this never throws.
 */
export function reportableOutput(value: unknown): Json {
  const text = textOf(value);
  if (text === undefined) return null;
  if (text.length <= bounds.outputBytes / 2) return parseOwnJson(text);
  return `${text.slice(0, excerptLength).toWellFormed()}\n[an excerpt: ${String(text.length)} characters in all]`;
}

function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : typeof part === 'bigint' ? String(part) : part));
  } catch (cause) {
    return JSON.stringify(`[the output is no JSON: ${cause instanceof Error ? cause.name : 'no reason given'}]`);
  }
}
