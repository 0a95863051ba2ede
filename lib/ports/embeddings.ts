import type { DistanceScale, EmbeddingFailure } from '@/lib/context/embedding';

/** A vector of each text, in their order and all of one length. `version` is what the endpoint calls the model that answered. */
export type EmbeddedTexts =
  | { readonly version: string; readonly vectors: readonly Int8Array[] }
  | { readonly failure: EmbeddingFailure };

/** A model outside that gives texts a place, so that what an action says can be held against what was asked. Its word is evidence. */
export type Embeddings = {
  /** As configured; stands in snapshots with the version. */
  readonly model: string;
  readonly scale: DistanceScale;
  /** Settles by a deadline of its own, and never throws for what the other side does. Texts are bounded by whoever asks. */
  readonly embed: (texts: readonly string[]) => Promise<EmbeddedTexts>;
};
