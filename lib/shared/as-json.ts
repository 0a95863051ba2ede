import type { Json } from './json';

/**
 * A value of our own types seen as JSON, without a copy. For values built of strings, numbers, booleans, null, lists and records only, which
 * the compiler cannot tell of a named type; canonical JSON throws on anything else.
 */
export const asJson = (value: object): Json => value as Json;
