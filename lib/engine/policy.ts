import type { Catalogue, DecisionKind } from '@/lib/mediate/catalogue';
import type { FactType } from '@/lib/shared/fact-type';
import type { Digest } from '@/lib/shared/ids';

import type { Field } from './predicate';
import type { Rule } from './rule';

/** Rules by the step of the decision that reads them; each list by priority, then id. */
export type StepRules = {
  readonly forbidden: readonly Rule[];
  readonly statics: readonly Rule[];
  readonly denies: readonly Rule[];
  readonly allows: readonly Rule[];
  /** Context-dependent decision and defer rules. */
  readonly joins: readonly Rule[];
};

/** Rules whose action part is false unless a field is a certain text, by that text. */
export type InsistingRules = { readonly field: Field; readonly byValue: ReadonlyMap<string, StepRules>; readonly all: StepRules };

/** The rules that tool and operation leave. Each of them is either open or in one of the lists of those that insist. */
export type OperationRules = {
  readonly open: StepRules;
  readonly insisting: readonly InsistingRules[];
  /** Whether any of them counts prior actions or follows a sequence: only then does a snapshot have to show them one by one. */
  readonly readsRecent: boolean;
};

/** Who may say an attribute, and for how long an observation counts. Seconds; null: for ever. `type`: what people are asked for; left out, any. */
export type InformationSource = { readonly from: readonly string[]; readonly max_age_s: number | null; readonly type?: FactType };

export type PolicySettings = {
  readonly id: string;
  readonly defaults: { readonly decision: DecisionKind; readonly unclassified: string };
  /** Thousandths. Alignment at or over `high` is high, under `low` is low; evaluability under `defer_below` defers. */
  readonly confidence: { readonly high: number; readonly low: number; readonly defer_below: number };
  readonly approvals: {
    readonly approvers: readonly string[];
    readonly timeout_s: number;
    readonly quorum: number;
    readonly separation: boolean;
  };
  readonly deferrals: { readonly timeout_s: number; readonly depth: number };
  readonly permits: { readonly ttl_s: number; readonly after_approval_s: number; readonly outcome_s: number };
  readonly sessions: { readonly ttl_s: number; readonly idle_s: number };
  readonly limits: {
    readonly held_per_session: number;
    readonly held_per_agent: number;
    readonly held_per_human: number;
    readonly new_per_minute: number;
  };
  readonly information: ReadonlyMap<string, InformationSource>;
  /** Domains that are the organisation's own, subdomains included. Null: nobody said, so `external` is unknown. */
  readonly internalDomains: readonly string[] | null;
};

/** A policy ready to decide with. Made by `compilePolicy` from exactly the bytes that `digest` names. */
export type CompiledPolicy = PolicySettings & {
  readonly digest: Digest;
  /** The named stock catalogue with the policy's own tools. Actions are mediated with this one. */
  readonly catalogue: Catalogue;
  readonly rules: readonly Rule[];
  /** By `tool.operation`, for every entry of the catalogue. */
  readonly index: ReadonlyMap<string, OperationRules>;
  readonly tables: readonly { readonly name: string; readonly version: number; readonly digest: Digest }[];
};
