import { z } from 'zod';

import type { Json } from '@/lib/shared/json';

/** Deeper than any value that a bounded request and its snapshot can give; walking it must never exhaust a stack. */
const maxDepth = 128;

/**
 * Any JSON value, passed through as it is. zod's own `json()` builds a copy, which loses a key named `__proto__`: the digest
 * of what was read would no longer be that of what was written.
 */
export const jsonField: z.ZodType<Json> = z.custom<Json>((value) => isJson(value, 0), `not a JSON value, or nested over ${maxDepth} deep`);

function isJson(value: unknown, depth: number): value is Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      return depth < maxDepth && (Array.isArray(value) ? value : Object.values(value)).every((item) => isJson(item, depth + 1));
    default:
      return false;
  }
}
