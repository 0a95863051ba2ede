import type { DecisionKind } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import type { Classification, Obligation } from './decision';
import type { Predicate } from './predicate';

/** One change that MODIFY makes. `path` starts at the parameters: `['limit']`, `['where', 'owner']`. */
export type Modification =
  | { readonly form: 'set'; readonly path: readonly string[]; readonly to: Json }
  | { readonly form: 'cap'; readonly path: readonly string[]; readonly at: number }
  | { readonly form: 'drop'; readonly path: readonly string[] }
  | { readonly form: 'restrict'; readonly path: readonly string[]; readonly to: readonly string[] }
  | { readonly form: 'redact'; readonly path: readonly string[]; readonly what: readonly RedactionKind[] }
  | { readonly form: 'add_filter'; readonly path: readonly string[]; readonly and: string };

/** `ALL` replaces the whole text: what a guard's finding asks for when it cannot say more. */
export const redactionKinds = ['PII', 'SECRET', 'FINANCIAL', 'ALL'] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** What a STEP_UP rule asks for; what it leaves out comes from the policy's `approvals`. */
export type RuleApproval = {
  readonly approvers: readonly string[] | null;
  readonly all_groups: boolean;
  readonly quorum: number | null;
  readonly timeout_s: number | null;
  readonly escalate: { readonly to: readonly string[]; readonly after_s: number } | null;
};

/** A field that a DEFER rule waits for. */
export type NeededField = { readonly field: string; readonly attribute: string | null };

export type Rule = {
  readonly id: string;
  readonly action: DecisionKind;
  readonly classification: Classification;
  readonly priority: number;
  readonly reason: string;
  readonly guidance: string | null;
  /** Keys (`tool.operation`) of the catalogue that tool, operation and effect of the match allow. */
  readonly keys: ReadonlySet<string>;
  /** The rest of the action part: parameters, identity, and a `when` that reads no context. */
  readonly applies: Predicate;
  readonly context: Predicate;
  readonly approval: RuleApproval;
  readonly modify: readonly Modification[];
  readonly needs: readonly NeededField[];
  /** Seconds that a DEFER of this rule waits; null: the policy's. */
  readonly defer_s: number | null;
  readonly obligations: readonly Obligation[];
  /** Forbidden rules only: what becomes of an action whose match cannot be known because an argument is opaque. */
  readonly opaque: 'DENY' | 'STEP_UP';
};

/** A rule that can make an answer more permissive: it needs every value that it sees, and evidence that exists. */
export const isLoosening = (rule: Rule): boolean =>
  rule.classification === 'context_dependent_allow' || (rule.classification === 'static' && rule.action === 'ALLOW');
