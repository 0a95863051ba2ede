import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';

import type { EmbeddedNearness } from './embedding';
import type { Ancestor, Inherited, RequestAssurance } from './entry';
import { LabelLedger } from './label-ledger';
import { IntentReader } from './read-intent';
import { ValueIndex } from './value-index';
import { AttributeTable } from './attribute-table';
import { ShownSteps } from './shown-steps';
import type { PriorAction } from './snapshot';

/** Requests that are kept as text; intent and values of earlier ones stay. */
export const requestsKept = 50;
/** Prior actions that are kept one by one: those a snapshot shows, and one that it may leave out. */
export const priorKept = 201;

/** A permitted action whose outcome is not in. */
export type Running = {
  /** Where the permit's entry stands. */
  readonly seq: number;
  /** `tool.operation`: where an output came from. */
  readonly key: string;
  readonly reads: readonly string[];
  readonly inherits: Inherited | null;
  /** Resources that it writes while it reads: what its outcome shows has gone there too. */
  readonly writes: readonly string[];
};

/** What a child session goes on from. */
export type Lineage = {
  readonly parent: SessionId;
  readonly parent_head: Digest;
  readonly parent_seq: number;
  /** Nearest first. */
  readonly delegation: readonly Ancestor[];
  readonly began_at: string;
};

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
  readonly shown: ShownSteps;
  readonly running: Map<ActionId, Running>;
  /** Resources that are being read, by the action that was permitted last: until its outcome is in, others may write there. */
  readonly awaited: Map<string, ActionId>;
  /** What stands for those of them that were too many to keep, such as `files:**`, until nothing is running any more. */
  readonly awaitedWhole: Set<string>;
  /** Null: a person's own session. */
  lineage: Lineage | null;
  /** Children that are open, and where the last entry about any child stands (0: it never had one). */
  readonly children: Set<SessionId>;
  delegatedSeq: number;
  /** The number in the family of the session's last permit; 0 while it has none. */
  familyN: number;
  /** Thousandths: the worst injection score of untrusted outputs since the last request. */
  injection: number;
  untrustedOutputs: number;
  /** Thousandths: running mean of how near the permitted actions were to the requests; null before the first. */
  nearness: number | null;
  /** The same by the vectors of an embeddings endpoint; null while none measured a permitted action. */
  embedded: EmbeddedNearness | null;
};

export const emptyState = (id: SessionId): SessionState => ({
  id, head: null, seq: 0, assurance: null, requests: [], intent: new IntentReader(), requestWords: new Set(), requestAmounts: new Set(),
  labels: new LabelLedger(), values: new ValueIndex(), attributes: new AttributeTable(), counts: new Map(), total: 0, recent: [],
  shown: new ShownSteps(), running: new Map(), awaited: new Map(), awaitedWhole: new Set(), lineage: null, children: new Set(), delegatedSeq: 0, familyN: 0, injection: 0, untrustedOutputs: 0, nearness: null, embedded: null,
});

/**
 * The state of a new session that a parent session opens. It starts with all that the parent has seen and done (requests, labels, values,
 * the taint of outputs, attributes, actions and their counts), so that handing a task on washes nothing and hides no earlier step
 * of a sequence. The chain and what is running are its own.
 */
export function childState(parent: SessionState, id: SessionId, lineage: Lineage): SessionState {
  const state: SessionState = {
    ...emptyState(id), assurance: parent.assurance, requests: [...parent.requests], intent: parent.intent.copy(), requestWords: new Set(parent.requestWords),
    requestAmounts: new Set(parent.requestAmounts), values: parent.values.copy(), attributes: parent.attributes.copy(), shown: parent.shown.copy(), counts: new Map(parent.counts), total: parent.total, recent: [...parent.recent],
    injection: parent.injection, untrustedOutputs: parent.untrustedOutputs, nearness: parent.nearness, embedded: parent.embedded, lineage,
  };
  state.labels.raise(parent.labels.current());
  return state;
}

/** Whether an output that comes in now could be the words of a child: one is open, or was while the action ran. */
export const mayBeAChilds = (state: SessionState, action: ActionId): boolean =>
  state.children.size > 0 || (state.running.get(action)?.seq ?? 0) < state.delegatedSeq;
