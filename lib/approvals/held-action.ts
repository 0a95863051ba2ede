import type { Impact } from '@/lib/shared/impact';
import type { ActionId, ApprovalId, Digest, PersonId, SessionId } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';
import type { Timestamp } from '@/lib/shared/timestamp';

/**
 * Everything that is known about an action held for a person, as it stood when it was held. Plain JSON, stored as
 * content: basis and view are computed from it and from nothing else, so that an auditor can draw the same screen again.
 * Names and shapes follow the decision and its snapshot; a service copies them over.
 */
export type HeldAction = {
  readonly approval: ApprovalId;
  readonly session: SessionId;
  readonly action_id: ActionId;
  readonly action: ProposedAction;
  /** a′ and what policy changed to get there; null when a itself is what would run. */
  readonly transformed: TransformedAction | null;
  readonly effect: HeldEffect;
  readonly impact: Impact;
  /** The step-up rules and those that shaped the action, in the order in which the decision names them. */
  readonly rules: readonly HeldRule[];
  readonly signals: readonly HeldSignal[];
  /** Thousandths, 0 to 1000; null when no signal had an input. */
  readonly alignment: number | null;
  readonly confidence: 'high' | 'medium' | 'low' | 'unknown';
  readonly evaluability: number | null;
  /** One entry a leaf of the parameters that would run (a′ when there is one, else a). */
  readonly arguments: readonly HeldArgument[];
  readonly recipients: readonly HeldRecipient[];
  /** Levels and tags that the session carries. */
  readonly labels: readonly string[];
  readonly identity: HeldIdentity;
  /** The session's requests, oldest first. Empty: none was recorded. */
  readonly requests: readonly HeldRequest[];
  /** The agent's own words: untrusted, never an input of the decision. Null: it gave none. */
  readonly agent_reason: string | null;
  readonly timeline: readonly TimelineStep[];
  readonly attributes: readonly HeldAttribute[];
  /** Digests that are compared again at redeeming. */
  readonly preconditions: readonly { readonly name: string; readonly value: Json }[];
  readonly approvers: ApproverRule;
  readonly policy: { readonly revision: number; readonly digest: Digest };
  /** What was asked back about the action and answered since, oldest first. Left out: nothing was. */
  readonly asked?: readonly AskedBack[];
  /** What has changed since the request that this one takes the place of. Left out: it takes nobody's place. */
  readonly changed?: Changed;
  /** The held action that an approver changed into this one, as it was. Left out: nobody did. */
  readonly edited?: EditedFrom;
  readonly held_at: Timestamp;
  /**
   * 16 random bytes in base64, part of basis and view: their digests stand in receipts for ever, and without it whoever has the receipts
   * could confirm a guess of what was held after it was withheld or erased.
   */
  readonly salt: string;
  readonly expires_at: Timestamp;
};

export const heldEffects = ['read', 'write', 'destructive', 'communicate', 'execute', 'grant', 'spend'] as const;
export type HeldEffect = (typeof heldEffects)[number];

export type ProposedAction = { readonly tool: string; readonly operation: string; readonly parameters: JsonObject };

export type TransformedAction = {
  readonly parameters: JsonObject;
  readonly changes: readonly { readonly rule: string; readonly path: string; readonly from: Json; readonly to: Json }[];
};

export type HeldRule = {
  readonly id: string;
  readonly action: 'ALLOW' | 'MODIFY' | 'STEP_UP' | 'DEFER' | 'DENY';
  readonly classification: string;
  readonly reason: string;
  readonly read: readonly { readonly field: string; readonly value: Json }[];
};

/** Score and weight in thousandths; a null score is unknown. */
export type HeldSignal = { readonly name: string; readonly score: number | null; readonly weight: number; readonly evidence: string };

export const sources = ['request', 'person', 'trusted_output', 'policy', 'untrusted_output', 'nowhere'] as const;
export type Source = (typeof sources)[number];

export const argumentRoles = ['target', 'recipients', 'path', 'url', 'command', 'query', 'amount'] as const;
export type ArgumentRole = (typeof argumentRoles)[number];

/** `path` is such as `to[0]` or `where.owner`; `where` names the output a value was found in (`tickets.read`). */
export type HeldArgument = {
  readonly path: string;
  readonly value: Json;
  readonly source: Source;
  readonly where?: string;
  readonly role?: ArgumentRole;
};

/** `resembles` is the known address that a look-alike imitates. */
export type HeldRecipient = {
  readonly address: string;
  readonly standing: 'internal' | 'known' | 'external' | 'look_alike' | 'unknown';
  readonly resembles?: string;
};

export type HeldIdentity = {
  /** The person the session is for, by e-mail; the id when the roster lists them. */
  readonly human: string;
  readonly human_person: PersonId | null;
  readonly service: string;
  readonly agent: string;
  /** Who registered the agent; null when nobody of the roster did (set-up, command line). */
  readonly registered_by: PersonId | null;
  readonly role: string;
  readonly scope: readonly string[];
  /** Parent sessions, nearest first. */
  readonly delegation: readonly SessionId[];
};

export type HeldRequest = {
  readonly at: Timestamp;
  readonly text: string;
  readonly assurance: 'verified' | 'orchestrator' | 'same_host';
};

export type TimelineStep = {
  readonly at: Timestamp;
  readonly kind: 'request' | 'permit' | 'outcome' | 'attribute' | 'untrusted_text' | 'held';
  /** `tool.operation`, the attribute's name, or empty for a request. */
  readonly subject: string;
  /** Labels of the session after this step. */
  readonly labels: readonly string[];
};

export type HeldAttribute = {
  readonly subject: string;
  readonly name: string;
  readonly value: Json;
  readonly unavailable: boolean;
  readonly source: string;
  readonly observed_at: Timestamp;
};

/** Who changed the action of which request, and what that asked (a) and would have run (a′; null where policy changed nothing). */
export type EditedFrom = {
  readonly from: ApprovalId;
  readonly by: PersonId;
  readonly name: string;
  readonly at: Timestamp;
  readonly reason: string | null;
  readonly parameters: JsonObject;
  readonly transformed: JsonObject | null;
};

/** A question of an approver, and its answer in the words of whoever was asked. */
export type AskedBack = {
  readonly by: PersonId;
  readonly name: string;
  readonly at: Timestamp;
  readonly question: string;
  /** Null: there is no answer to it, as they settled. */
  readonly answer: string | null;
  /** `requester`, or the orchestrator as the policy names it. */
  readonly answered_by: string;
  readonly answered_at: Timestamp;
};

export const differenceKinds = ['policy', 'rule', 'reading', 'label', 'argument', 'source', 'identity', 'precondition', 'approvers', 'impact'] as const;

/** One thing that is not as it was when an action was put before people; null: it was not there, or is there no more. */
export type Difference = { readonly what: (typeof differenceKinds)[number]; readonly name: string; readonly before: Json; readonly after: Json };

/** Why an action is put before people anew: which request it was in before, and what has changed since. */
export type Changed = { readonly from: ApprovalId; readonly differences: readonly Difference[] };

export type ApproverRule = {
  /** Groups of the signed roster. An empty list never means anyone. */
  readonly groups: readonly string[];
  /** Each group must take part; otherwise any of them. */
  readonly all_groups: boolean;
  /** Different people needed, from 1. */
  readonly quorum: number;
  /** False only where the signed policy switches separation of duties off. */
  readonly separation: boolean;
  /** Backup groups whose members may decide as well once so many seconds have passed. They stand for no group that must take part. */
  readonly escalate?: { readonly to: readonly string[]; readonly after_s: number };
};
