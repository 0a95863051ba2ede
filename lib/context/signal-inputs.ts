import type { ArgumentProvenance, AttributeFact, PriorAction, Snapshot } from './snapshot';

/** What signals are read from, beside session and action. */
export type SignalInputs = {
  readonly intent: Snapshot['intent'];
  readonly labels: readonly string[];
  readonly provenance: readonly ArgumentProvenance[];
  readonly attributes: readonly AttributeFact[];
  readonly recent: readonly PriorAction[];
  readonly now: string;
  readonly human: string;
  readonly internalDomains: readonly string[] | null;
};
