import { canonicalBytes } from '@/lib/shared/canonical-json';
import { digestOf, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { ContextEntry } from './entry';

/**
 * The hash of a session's chain up to and including this entry: SHA-256 over the canonical JSON of the entry, the hash
 * before it (null for the first) and its sequence number, from 1. Throws when the entry has no canonical form.
 */
export function entryHash(sha256: Sha256, previous: Digest | null, entry: ContextEntry, seq: number): Digest {
  return digestOf(sha256, canonicalBytes({ entry: entryJson(entry), previous, seq }));
}

/** Fields that are left out have no canonical form, and mean the same as absent ones. */
function entryJson(entry: ContextEntry): Json {
  const kept: Record<string, Json> = {};
  for (const [name, value] of Object.entries<Json | undefined>(entry)) if (value !== undefined) kept[name] = value;
  return kept;
}
