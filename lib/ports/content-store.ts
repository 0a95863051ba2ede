import type { Digest } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { Tx } from './transaction';

/** `body` is the canonical JSON of the value; `digest` covers it together with the salt (base64). */
export type ContentItem = { readonly digest: Digest; readonly salt: string; readonly body: string };

export type ContentStore = {
  readonly add: (tx: Tx, items: readonly ContentItem[]) => Promise<void>;
  /** Items that exist; an erased one is missing. */
  readonly find: (digests: readonly Digest[], tx?: Tx) => Promise<ReadonlyMap<Digest, ContentItem & { readonly value: Json }>>;
  /** The same without the values: whoever reads many, and each once, holds their texts meanwhile, and what they say only while it looks at it. */
  readonly texts: (digests: readonly Digest[], tx?: Tx) => Promise<ReadonlyMap<Digest, ContentItem>>;
};
