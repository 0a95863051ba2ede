import type { DecisionKind, Effect } from '@/lib/mediate/catalogue';
import type { ActionId, Digest, PersonId, SessionId } from '@/lib/shared/ids';
import type { Json } from '@/lib/shared/json';

import type { EmbeddedNearness } from './embedding';

/** Who recorded the user's words, and so how far they can be believed. */
export const requestAssurances = ['verified', 'orchestrator', 'same_host'] as const;
export type RequestAssurance = (typeof requestAssurances)[number];

/** Where an outcome's report came from: only what an enforcement point reports can be trusted output. */
export type Reporter = 'enforcement_point' | 'agent';

/** What a value that was seen is worth, most trusted first. */
export const provenances = ['request', 'person', 'trusted_output', 'policy', 'untrusted_output', 'nowhere'] as const;
export type Provenance = (typeof provenances)[number];

/** The least trusted of several; null for none. */
export const leastTrusted = (places: readonly Provenance[]): Provenance | null =>
  places.reduce<Provenance | null>((worst, one) => (worst === null || provenances.indexOf(one) > provenances.indexOf(worst) ? one : worst), null);

/**
 * What is known of resources that an action reads, from sessions that wrote them: their labels and the least trusted place that
 * anything written came from. `from` names the resources, for people; bounded.
 */
export type Inherited = {
  readonly labels: readonly string[];
  /** Null: nothing is known to have been written there. */
  readonly origin: Provenance | null;
  readonly from: readonly { readonly resource: string; readonly session: SessionId }[];
};

/**
 * What an entry leaves on resources for whoever reads them later, in whatever session (see resources.ts). `doubts` are the paths of
 * parameters whose values are less trusted; `origin` is that of all else that was written, `nowhere` when nobody could see it.
 */
export type Written = { readonly resources: readonly string[]; readonly labels: readonly string[]; readonly origin: Provenance; readonly doubts?: readonly string[] };

/** A session above this one, the agent that it is for, and the number of its last permit in the family when it opened the next session. */
export type Ancestor = { readonly session: SessionId; readonly agent: string; readonly family_n: number };

/**
 * 16 random bytes in base64, part of what an entry's hash covers: heads stand in receipts for ever, and without it a short text
 * could be guessed from them after it was erased. Nothing reads it.
 */
export type Salted = { readonly salt?: string };

/**
 * One step of a session's context. Append-only; each entry's hash covers the hash of the one before it.
 * Times are ISO 8601 UTC with milliseconds. An action enters the context when its permit is issued.
 */
export type ContextEntry = Salted & Step;

type Step =
  | { readonly kind: 'request'; readonly at: string; readonly text: string; readonly assurance: RequestAssurance }
  | {
      readonly kind: 'permit';
      readonly at: string;
      readonly action: ActionId;
      readonly tool: string;
      readonly operation: string;
      readonly effect: Effect;
      /** The catalogue's effect first, then what the arguments show besides: a command that sends communicates. Left out where they show nothing more. */
      readonly effects?: readonly Effect[];
      readonly decision: DecisionKind;
      /** Labels that issuing this permit raises (catalogue's, else the policy's `unclassified`). */
      readonly labels: readonly string[];
      readonly target?: string;
      readonly recipients: readonly string[];
      /** What all its amounts come to, none of them below zero. */
      readonly amount?: number;
      /** The parameters of the action that is permitted (a′ when modified): what the session wrote. */
      readonly parameters: Json;
      /** In a family of sessions: its first session, and which of the family's permits this is, from 1. */
      readonly family?: { readonly root: SessionId; readonly n: number };
      /** Resources whose content the outcome may show. */
      readonly reads?: readonly string[];
      readonly writes?: Written;
      /** What `reads` had when the permit was issued; its labels are among `labels`. */
      readonly inherits?: Inherited;
      /** Where an embeddings endpoint measured it: how near the action was to what was asked. */
      readonly embedded?: EmbeddedNearness;
    }
  | {
      readonly kind: 'outcome';
      readonly at: string;
      readonly action: ActionId;
      readonly status: 'succeeded' | 'failed' | 'unknown';
      readonly reporter: Reporter;
      /** The catalogue's `trusted` and an enforcement point's report together. */
      readonly trusted: boolean;
      /** Text that the agent now knows; bounded. */
      readonly output: string;
      readonly labels: readonly string[];
      /** Thousandths: how much of the output looks like instructions to the agent, as the guard scored it. */
      readonly injection?: number;
      /** Of a trusted output: forms of values that some session wrote there without being trusted. */
      readonly doubts?: readonly string[];
      /** What the action's resources had when it was reported; its labels are among `labels`. */
      readonly inherits?: Inherited;
      readonly writes?: Written;
    }
  | {
      readonly kind: 'attribute';
      readonly at: string;
      readonly subject: string;
      readonly name: string;
      /** Undefined value with `unavailable`: a listed source settled that there is none. */
      readonly value: Json;
      readonly unavailable: boolean;
      readonly source: string;
      readonly observed_at: string;
      /** Said by a person in the console, for the source that the policy names: who, and the SHA-256 of what they signed. */
      readonly person?: PersonId;
      readonly statement?: Digest;
    }
  /** A person has lowered a label by a signed statement: `to` is the lower level, or null for a tag, which goes. `statement`: the SHA-256 of what they signed. */
  | { readonly kind: 'lowering'; readonly at: string; readonly label: string; readonly to: string | null; readonly person: PersonId; readonly statement: Digest }
  /** An approver typed these values, by parameter, into an action that was held. `statement`: the SHA-256 of what they signed. */
  | { readonly kind: 'person_value'; readonly at: string; readonly person: PersonId; readonly value: Json; readonly statement: Digest }
  /** The first entry of a child session: it goes on from its parent's context at exactly this head. */
  | {
      readonly kind: 'inherited';
      readonly at: string;
      readonly parent: SessionId;
      readonly parent_head: Digest;
      readonly parent_seq: number;
      /** Nearest first. */
      readonly delegation: readonly Ancestor[];
      /** When the first of them was opened: no child outlives it. */
      readonly began_at: string;
    }
  /** In the parent: a child was opened, or has ended. While one is open, what comes back may be the child's words. */
  | { readonly kind: 'delegation'; readonly at: string; readonly child: SessionId; readonly event: 'opened' | 'ended' };

/** An entry in its place: sequence number from 1, hash of the chain up to and including it. */
export type ChainedEntry = { readonly seq: number; readonly hash: Digest; readonly entry: ContextEntry };
