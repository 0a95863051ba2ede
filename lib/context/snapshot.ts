import type { Effect } from '@/lib/mediate/catalogue';
import type { ActionId, Digest, SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { EmbeddingEvidence } from './embedding';
import type { Provenance, RequestAssurance } from './entry';

/** The five levels of identity, none of them taken from a body. */
export type Identity = {
  readonly human: string;
  readonly service: string;
  readonly agent: string;
  readonly session: SessionId;
  readonly role: string;
  readonly scope: readonly string[];
  /** Parent sessions, nearest first. */
  readonly delegation: readonly SessionId[];
};

/** An argument's leaf and the least trusted place its value came from. `path` is such as `to[0]` or `where.owner`. */
export type ArgumentProvenance = {
  readonly path: string;
  readonly source: Provenance;
  /** The entry it was found in: its sequence number and, for outputs, the action's tool.operation. */
  readonly seq?: number;
  readonly where?: string;
};

export type AttributeFact = {
  readonly subject: string;
  readonly name: string;
  readonly value: Json;
  readonly unavailable: boolean;
  readonly source: string;
  readonly observed_at: string;
};

/** One piece of evidence about intent. Score and weight are integers in thousandths; an unknown score carries no weight. */
export type Signal = {
  readonly name: string;
  readonly score: number | null;
  readonly weight: number;
  /** What it was read from, in words that a person can check. */
  readonly evidence: string;
  /** For an unknown score: the field that would settle it. */
  readonly missing?: string;
};

export type PriorAction = {
  readonly action: ActionId;
  readonly tool: string;
  readonly operation: string;
  readonly effect: Effect;
  /** `effect` and what the arguments showed besides; left out where they showed nothing more. */
  readonly effects?: readonly Effect[];
  readonly at: string;
  readonly labels: readonly string[];
  /** What it moved, as its parameters say; left out where there is none or it is not known. */
  readonly amount?: number;
};

export type GuardFinding = {
  readonly guard: string;
  readonly verdict: 'redact' | 'hold' | 'block' | 'failed';
  readonly path: string;
  readonly detail: string;
};

/** A further decision point's answer, as evidence. */
export type PointAnswer = {
  readonly point: string;
  readonly answer: 'permit' | 'deny' | 'indeterminate' | 'fault';
  readonly cause: string;
  /** When it was asked, ISO 8601, UTC. Left out for what this process concluded itself. */
  readonly at?: string;
};

/**
 * Everything `decide` reads beside action and policy: bounded, plain JSON, stored with the decision so that it can be
 * re-derived. Evidence is looked up before; `decide` only combines.
 */
export type Snapshot = {
  readonly version: 1;
  readonly session: {
    readonly id: SessionId;
    readonly state: 'open' | 'closed' | 'expired';
    readonly opened_at: string;
    readonly assurance: RequestAssurance | null;
    /** Head of the session's chain that this was taken at. */
    readonly head: Digest;
    readonly seq: number;
  };
  readonly identity: Identity;
  readonly identity_verified: boolean;
  readonly killed: boolean;
  /** Requests recorded, oldest first; quoted or attached text is cut out. Null: none was recorded (unknown). */
  readonly requests: readonly string[] | null;
  /** Concepts of the lexicon that the requests affirm, and those in doubt (negated elsewhere, conditional). */
  readonly intent: { readonly affirmed: readonly string[]; readonly doubtful: readonly string[] } | null;
  /** Permitted before this action: counts by `tool.operation`, and the latest 200 in order. The action itself is never among them. */
  readonly prior: {
    readonly counts: Readonly<Record<string, number>>;
    readonly recent: readonly PriorAction[];
    readonly total: number;
  };
  readonly labels: readonly string[];
  readonly provenance: readonly ArgumentProvenance[];
  /** Attributes of the subjects that this action names (its target, its id), newest per source. */
  readonly attributes: readonly AttributeFact[];
  readonly signals: readonly Signal[];
  /** What the signal `semantic_distance` was measured from. Left out where no embeddings endpoint was asked. */
  readonly embedding?: EmbeddingEvidence;
  readonly guards: readonly GuardFinding[];
  readonly points: readonly PointAnswer[];
  /** Ids of grants that cover this action now (scope, expiry, count left). */
  readonly grants: readonly string[];
};
