import { toHex } from '@/lib/shared/encoding';

/** 128 random bits in lower-case hex. */
export const freshNonce = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));
