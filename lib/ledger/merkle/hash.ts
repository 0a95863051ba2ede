import { concatBytes, type Sha256 } from '@/lib/shared/encoding';

/** Hashes of RFC 6962, section 2.1: leaves and inner nodes are told apart by their first byte. 32 bytes each. */
const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

export const hashLeaf = (sha256: Sha256, leaf: Uint8Array): Uint8Array => sha256(concatBytes(leafPrefix, leaf));

export const hashNode = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(nodePrefix, left, right));

/** The root of the tree without leaves. */
export const emptyRoot = (sha256: Sha256): Uint8Array => sha256(new Uint8Array(0));
