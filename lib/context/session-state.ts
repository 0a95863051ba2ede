import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import type { RequestAssurance } from './entry';
import { LabelLedger } from './label-ledger';
import { IntentReader } from './read-intent';
import { ValueIndex } from './value-index';
import { AttributeTable } from './attribute-table';
import type { PriorAction } from './snapshot';

/** Requests that are kept as text; intent and values of earlier ones stay. */
export const requestsKept = 50;
/** Prior actions that are kept one by one: those a snapshot shows, and one that it may leave out. */
export const priorKept = 201;

/**
 * What a session has accumulated, kept up to date entry by entry, so that taking a snapshot does not grow with the
 * session. Owned and changed by its holder; bounded: what no longer fits is forgotten towards less trust, never more.
 */
export type SessionState = {
  readonly id: SessionId;
  head: Digest | null;
  seq: number;
  /** The least assurance of the requests so far: one that anyone could have written taints the rest. */
  assurance: RequestAssurance | null;
  requests: string[];
  readonly intent: IntentReader;
  /** Word stems of the requests, for distances. */
  readonly requestWords: Set<string>;
  readonly requestAmounts: Set<number>;
  readonly labels: LabelLedger;
  readonly values: ValueIndex;
  readonly attributes: AttributeTable;
  readonly counts: Map<string, number>;
  total: number;
  readonly recent: PriorAction[];
  /** `tool.operation` of permitted actions whose outcome is not in: to say where an output came from. */
  readonly running: Map<ActionId, string>;
  /** Thousandths: the worst injection score of untrusted outputs since the last request. */
  injection: number;
  untrustedOutputs: number;
  /** Thousandths: running mean of how near the permitted actions were to the requests; null before the first. */
  nearness: number | null;
};

export const emptyState = (id: SessionId): SessionState => ({
  id, head: null, seq: 0, assurance: null, requests: [], intent: new IntentReader(), requestWords: new Set(), requestAmounts: new Set(),
  labels: new LabelLedger(), values: new ValueIndex(), attributes: new AttributeTable(), counts: new Map(), total: 0, recent: [],
  running: new Map(), injection: 0, untrustedOutputs: 0, nearness: null,
});

/**
 * The state of a new session that a parent session opens: it starts with what the parent has seen (labels, values, the
 * taint of outputs), so that handing a task on never washes anything. Requests, counts and the chain are its own.
 */
export function childState(parent: SessionState, id: SessionId): SessionState {
  const state: SessionState = {
    ...emptyState(id), assurance: parent.assurance, values: parent.values.copy(), injection: parent.injection, untrustedOutputs: parent.untrustedOutputs,
  };
  state.labels.raise(parent.labels.current());
  return state;
}
