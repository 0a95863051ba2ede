import type { RE2JS } from 're2js';

import type { Effect } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

import type { TimeWindow } from './time-window';
import type { TimeZone } from './time-zones';

/** What a predicate reads. The action part reads `parameter`, `identity` and `operation` only; everything else is context. */
export type Field =
  | { readonly of: 'parameter'; readonly path: readonly string[] }
  | { readonly of: 'identity'; readonly name: IdentityName }
  | { readonly of: 'operation'; readonly name: 'tool' | 'operation' | 'effect' | 'impact' | 'target' }
  | { readonly of: 'recipient' }
  | { readonly of: 'owner' }
  /** Of the target (of each table and path where there are several), or of every recipient. */
  | { readonly of: 'attribute'; readonly name: string; readonly about: 'target' | 'recipients' }
  | { readonly of: 'provenance'; readonly path: string }
  | { readonly of: 'labels' }
  | { readonly of: 'intent' }
  | { readonly of: 'prior' }
  | { readonly of: 'elapsed' }
  /** The wall's time in a zone, at the time of the decision. */
  | { readonly of: 'time'; readonly zone: TimeZone }
  /** How much a signal speaks against the action, in thousandths: 1000 − its score. */
  | { readonly of: 'risk'; readonly signal: string }
  /** How many actions, or what their amounts come to. */
  | { readonly of: 'count'; readonly name: 'count' | 'volume' | 'velocity'; readonly which: Step; readonly within_s: number | null; readonly sums: 'actions' | 'amounts' };

export const identityNames = ['human', 'service', 'agent', 'session', 'role', 'scope', 'delegation'] as const;
export type IdentityName = (typeof identityNames)[number];

/** Which prior (or present) actions a count or a sequence means. `keys` are `tool.operation`; null means any. */
export type Step = {
  readonly keys: ReadonlySet<string> | null;
  readonly effects: readonly Effect[] | null;
  /** Only actions that raised this label (a level means it or higher). */
  readonly label: string | null;
};

/** A comparison, its right side prepared when the policy was compiled. */
export type Test =
  | { readonly op: 'eq' | 'not'; readonly value: Json }
  | { readonly op: 'in' | 'not_in'; readonly values: readonly Json[] }
  | { readonly op: 'contains'; readonly values: readonly Json[] }
  | { readonly op: 'contains_all'; readonly values: readonly Json[] }
  | { readonly op: 'lt' | 'lte' | 'gt' | 'gte'; readonly value: number }
  | { readonly op: 'at_least' | 'above' | 'at_most' | 'below'; readonly level: string }
  | { readonly op: 'matches'; readonly source: string; readonly pattern: RE2JS }
  | { readonly op: 'starts_with' | 'domain_in' | 'within'; readonly values: readonly string[] }
  | { readonly op: 'owned_by'; readonly owner: 'requesting_user' | { readonly named: string } }
  | { readonly op: 'external'; readonly value: boolean }
  /** `implied`: not written by the author, it stands beside a negation, which is false for what is absent. */
  | { readonly op: 'exists'; readonly value: boolean; readonly implied?: true }
  | { readonly op: 'in_window'; readonly windows: readonly TimeWindow[] };

/** A comparison that looks at values alone. */
export type ValueTest = Exclude<Test, { readonly op: 'in_window' }>;

export type Predicate =
  | { readonly is: 'all' | 'any'; readonly of: readonly Predicate[] }
  | { readonly is: 'not'; readonly of: Predicate }
  | { readonly is: 'test'; readonly field: Field; readonly test: Test }
  /** Two fields with each other. */
  | { readonly is: 'compare'; readonly left: Field; readonly op: 'eq' | 'not' | 'lt' | 'lte' | 'gt' | 'gte'; readonly right: Field }
  | { readonly is: 'sequence'; readonly before: readonly Step[]; readonly last: Step; readonly within_s: number | null };

/** What holds for every action. */
export const always: Predicate = { is: 'all', of: [] };
