import { canonicalJson } from '@/lib/shared/canonical-json';
import type { Json } from '@/lib/shared/json';

/** A value as text: strings as they are, everything else as canonical JSON. Always whole. */
export const shownValue = (value: Json): string => (typeof value === 'string' ? value : canonicalJson(value));
