import type { ActionId } from '@/lib/shared/ids';

import type { EmbeddingEvidence } from './embedding';
import type { ArgumentProvenance, AttributeFact, Snapshot } from './snapshot';

/** What signals are read from, beside session and action. */
export type SignalInputs = {
  readonly intent: Snapshot['intent'];
  readonly labels: readonly string[];
  readonly provenance: readonly ArgumentProvenance[];
  readonly attributes: readonly AttributeFact[];
  /** The action that is decided again is no prior action of itself. */
  readonly excludeAction: ActionId | undefined;
  readonly now: string;
  readonly human: string;
  readonly internalDomains: readonly string[] | null;
  /** Undefined: no embeddings endpoint is configured. */
  readonly embedding: EmbeddingEvidence | undefined;
};
