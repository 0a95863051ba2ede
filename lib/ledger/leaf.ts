import { envelopeText, type Envelope } from '@/lib/shared/dsse';
import { hexDigest, utf8, type Sha256 } from '@/lib/shared/encoding';
import type { Digest } from '@/lib/shared/ids';

import { hashLeaf } from './merkle/hash';

/** What stands as `previous` in the first leaf of a log. */
export const firstPrevious: Digest = hexDigest(new Uint8Array(32));

/** One entry of the log: a receipt's envelope, its position, and the hash of the leaf before it. */
export type Leaf = { readonly envelope: Envelope; readonly index: number; readonly previous: Digest };

/**
 * The leaf's exact text: canonical JSON, joined from the envelope's canonical text so that appending parses nothing.
 * The names stand in canonical order already. `previous` is the hex leaf hash of the leaf before.
 */
export const leafText = (envelope: string, index: number, previous: string): string =>
  `{"envelope":${envelope},"index":${index},"previous":"${previous}"}`;

/** RFC 6962 leaf hash of the leaf's text: what the tree holds and the next leaf names. */
export const leafHashOf = (sha256: Sha256, text: string): Uint8Array => hashLeaf(sha256, utf8(text));

/** The text whose UTF-8 that hash is taken of: a leaf's prefix is the byte 0. For hosts that hash texts. */
export const hashedLeafText = (text: string): string => `\u0000${text}`;

/** The chain's link as it stands in the next leaf. */
export const previousOf = (leafHash: Uint8Array | undefined): Digest => (leafHash ? hexDigest(leafHash) : firstPrevious);

export const textOf = (leaf: Leaf): string => leafText(envelopeText(leaf.envelope), leaf.index, leaf.previous);
