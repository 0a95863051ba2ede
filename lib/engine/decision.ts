import type { DecisionKind, Impact } from '@/lib/mediate/catalogue';
import type { ErrorCode } from '@/lib/shared/error-codes';
import type { Digest } from '@/lib/shared/ids';
import type { Json, JsonObject } from '@/lib/shared/json';
import type { Signal } from '@/lib/context/snapshot';

export const classifications = [
  'forbidden', 'context_dependent_deny', 'context_dependent_defer', 'context_dependent_decision', 'context_dependent_allow', 'static',
] as const;
export type Classification = (typeof classifications)[number];

/** A rule that took part, with the values that its predicates read (field → value). */
export type RuleTrace = {
  readonly id: string;
  readonly action: DecisionKind;
  readonly classification: Classification;
  readonly reason: string;
  readonly read: readonly { readonly field: string; readonly value: Json }[];
};

/** A rule whose truth was not known, and the fields that would settle it. */
export type UnknownRule = { readonly id: string; readonly missing: readonly string[] };

/** What people must countersign: groups of the signed roster, how many, by when. Seconds. */
export type ApprovalDemand = {
  readonly approvers: readonly string[];
  readonly all_groups: boolean;
  readonly quorum: number;
  readonly timeout_s: number;
  readonly separation: boolean;
  /** Backup groups that may decide too once so many seconds have passed without a decision. */
  readonly escalate?: { readonly to: readonly string[]; readonly after_s: number };
};

/**
 * A field that is missing, such as `target_ownership`. When it is read from an attribute, `subject` and `attribute` are what a
 * supplier has to send (`database:test_data`, `owner`).
 */
export type MissingField = {
  readonly field: string;
  readonly subject?: string;
  readonly attribute?: string;
  readonly suppliers: readonly string[];
};

export type DeferralDemand = {
  readonly missing: readonly MissingField[];
  readonly timeout_s: number;
  /** Rules that conflict, when that is why; then the approvers decide it. */
  readonly conflict: readonly string[];
  readonly escalate?: ApprovalDemand;
  /** Who is asked when the time is over; left out: it is denied then. */
  readonly at_timeout?: ApprovalDemand;
};

export type Obligation = { readonly kind: string; readonly value: Json };

/** One leaf that MODIFY changed: which rule, from what to what (null: absent). */
export type Change = { readonly rule: string; readonly path: string; readonly from: Json; readonly to: Json };

export type Decision = {
  readonly decision: DecisionKind;
  readonly code: ErrorCode;
  /** For the agent and for people; from the rule, never from the agent. */
  readonly reason: string;
  readonly guidance?: string;
  readonly classification: Classification;
  readonly impact: Impact;
  /** a′, when policy would let something else through (MODIFY, or STEP_UP on a modified action). */
  readonly transformed?: { readonly parameters: JsonObject; readonly changes: readonly Change[] };
  readonly approval?: ApprovalDemand;
  readonly deferral?: DeferralDemand;
  readonly obligations: readonly Obligation[];
  /** The ids of grants to consume when the permit is redeemed. */
  readonly grants: readonly string[];
  readonly determining: readonly RuleTrace[];
  /** Rules that applied by their action part but did not decide, for the trace. */
  readonly considered: readonly { readonly id: string; readonly outcome: 'true' | 'false' | 'unknown' }[];
  readonly unknown: readonly UnknownRule[];
  readonly baseline: { readonly decision: DecisionKind; readonly from: string };
  readonly signals: readonly Signal[];
  /** Thousandths, 0 to 1000. Null: no signal has an input. */
  readonly evaluability: number | null;
  readonly alignment: number | null;
  readonly policy: { readonly id: string; readonly digest: Digest };
  readonly tables: readonly { readonly name: string; readonly version: number; readonly digest: Digest }[];
  readonly engine_version: string;
};
