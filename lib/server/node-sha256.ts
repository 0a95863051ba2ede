import { createHash } from 'node:crypto';

import type { Sha256 } from '@/lib/shared/encoding';

/** SHA-256 as Node has it. */
export const nodeSha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest();
