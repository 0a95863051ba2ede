import { hash } from 'node:crypto';

import type { Sha256, Sha256OfText } from '@/lib/shared/encoding';

/** SHA-256 as Node has it, in one call: for the small texts that receipts are made of, half the cost of a hash object. */
export const nodeSha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** The same of a text: its bytes are never a value of their own, which would be most of the memory that reading a log leaves behind. */
export const nodeSha256OfText: Sha256OfText = (text) => hash('sha256', text, 'hex');
