import { sha256 as noble } from '@noble/hashes/sha2.js';

import type { Sha256 } from '@/lib/shared/encoding';

/** SHA-256 for the core, synchronous, the same in every browser. */
export const sha256: Sha256 = (bytes) => noble(bytes);
