import { hash } from 'node:crypto';

import type { Sha256 } from '@/lib/shared/encoding';

/** Node's one-shot SHA-256: the store hashes every leaf under the head lock, where a stream object for each would show. */
export const sha256: Sha256 = (bytes) => new Uint8Array(hash('sha256', bytes, 'buffer'));
