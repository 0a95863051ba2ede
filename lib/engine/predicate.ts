import type { RE2JS } from 're2js';

import type { Effect } from '@/lib/mediate/catalogue';
import type { Json } from '@/lib/shared/json';

/** What a predicate reads. The action part reads `parameter`, `identity` and `operation` only; everything else is context. */
export type Field =
  | { readonly of: 'parameter'; readonly path: readonly string[] }
  | { readonly of: 'identity'; readonly name: IdentityName }
  | { readonly of: 'operation'; readonly name: 'tool' | 'operation' | 'effect' | 'impact' | 'target' }
  | { readonly of: 'recipient' }
  | { readonly of: 'owner' }
  | { readonly of: 'attribute'; readonly name: string }
  | { readonly of: 'provenance'; readonly path: string }
  | { readonly of: 'labels' }
  | { readonly of: 'intent' }
  | { readonly of: 'prior' }
  | { readonly of: 'elapsed' }
  | { readonly of: 'count'; readonly name: 'count' | 'volume' | 'velocity'; readonly which: Step; readonly within_s: number | null };

export const identityNames = ['human', 'service', 'agent', 'session', 'role', 'scope'] as const;
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
  | { readonly op: 'external' | 'exists'; readonly value: boolean };

export type Predicate =
  | { readonly is: 'all' | 'any'; readonly of: readonly Predicate[] }
  | { readonly is: 'not'; readonly of: Predicate }
  | { readonly is: 'test'; readonly field: Field; readonly test: Test }
  | { readonly is: 'sequence'; readonly before: readonly Step[]; readonly last: Step; readonly within_s: number | null };

/** What holds for every action. */
export const always: Predicate = { is: 'all', of: [] };
