import { decisionKinds, type DecisionKind } from '@/lib/mediate/catalogue';
import type { ErrorCode } from '@/lib/shared/error-codes';

import type { ApprovalDemand } from './decision';
import type { Modification, Rule } from './rule';

/** A change with who asks for it: a rule's id, or `guard:<name>`. */
export type ModifyStep = { readonly by: string; readonly change: Modification };

/**
 * What steps 3 to 6 come to when the truth of every rule is given. Later steps combine several of these (one for each way
 * that unknown rules may turn out) or transform the action and ask again.
 */
export type Outcome = {
  readonly kind: DecisionKind;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly rules: readonly Rule[];
  /** Rules whose obligations go with a permit: what something stricter joined does not lose them. */
  readonly obliging: readonly Rule[];
  readonly demand: ApprovalDemand | null;
  /** For MODIFY, and beneath a STEP_UP: what transforms the action. */
  readonly modify: readonly ModifyStep[];
  /** A context-dependent rule asks for a change: without that context the action would have stood as proposed. */
  readonly contextual: boolean;
  /** A DENY that only a low alignment gives: more evidence could lift it. */
  readonly restsOnAlignment: boolean;
  /** Rules of equal priority that disagree, when that is why the outcome is DEFER. */
  readonly conflict: readonly Rule[];
  /** DEFER because a decision point could not say: its name. */
  readonly undecided: readonly string[];
};

export type Baseline = { readonly decision: DecisionKind; readonly from: string };

/** 0 for ALLOW up to 4 for DENY. */
export const strictness = (kind: DecisionKind): number => decisionKinds.indexOf(kind);

export const stricter = (a: DecisionKind, b: DecisionKind): DecisionKind => (strictness(a) >= strictness(b) ? a : b);

/** Field by field: every way that an action may turn out passes here, and objects that are spread over others are slow to make. */
export const outcome = (kind: DecisionKind, code: ErrorCode, reason: string, rules: readonly Rule[] = [], more: More = {}): Outcome => ({
  kind, code, reason, rules,
  obliging: more.obliging ?? rules,
  demand: more.demand ?? null,
  modify: more.modify ?? none,
  contextual: more.contextual ?? false,
  restsOnAlignment: more.restsOnAlignment ?? false,
  conflict: more.conflict ?? none,
  undecided: more.undecided ?? none,
});

type More = Partial<Omit<Outcome, 'kind' | 'code' | 'reason' | 'rules'>>;

const none: readonly never[] = [];
