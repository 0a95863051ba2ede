import { z } from 'zod';

import type { Json } from '@/lib/shared/json';

/** Deeper than any value that a bounded request and its snapshot can give; walking it must never exhaust a stack. */
const maxDepth = 128;

/**
 * Any JSON value, passed through as it is. zod's own `json()` builds a copy, which loses a key named `__proto__`: the digest
 * of what was read would no longer be that of what was written.
 */
export const jsonField: z.ZodType<Json> = z.custom<Json>(isJson, `not a JSON value, or nested over ${maxDepth} deep`);

/** The same without a copy or a word of what is wrong. */
export function isJson(value: unknown): value is Json {
  return isJsonAt(value, 0);
}

function isJsonAt(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return depth < maxDepth && (Array.isArray(value) ? value : Object.values(value)).every((item) => isJsonAt(item, depth + 1));
    default:
      return false;
  }
}
