import type { Test } from '@/lib/engine/predicate';
import type { Modification } from '@/lib/engine/rule';
import type { Json } from '@/lib/shared/json';

import { simplePattern } from './simple-pattern';

/** Everything that comparisons ask of one value, taken apart, so that values can be made that answer each of them both ways. */
export type Asks = {
  readonly constants: Set<string>;
  readonly numbers: Set<number>;
  readonly booleans: Set<boolean>;
  readonly prefixes: Set<string>;
  readonly suffixes: Set<string>;
  readonly parts: Set<string>;
  readonly domains: Set<string>;
  readonly folders: Set<string>;
  /** Regular expressions that ask for more than words. */
  readonly patterns: Set<string>;
  readonly redacts: boolean;
  readonly filters: Set<string>;
  /** Values that lie between the same two numbers are compared with each other: so many of them are needed. */
  readonly between: number;
};

export type Asked = {
  readonly tests: readonly Test[];
  readonly changes: readonly Modification[];
  /** Domains that count as the organisation's own under either policy. */
  readonly internal: readonly string[];
  /** Further constants, of fields that this one is compared with. */
  readonly linked: readonly Json[];
  readonly between: number;
};

export function asksOf({ tests, changes, internal, linked, between }: Asked): Asks {
  const asks: Asks = {
    constants: new Set(), numbers: new Set(), booleans: new Set(), prefixes: new Set(), suffixes: new Set(), parts: new Set(), domains: new Set(), folders: new Set(), patterns: new Set(),
    redacts: changes.some(({ form }) => form === 'redact'), filters: new Set(), between,
  };
  for (const value of linked) takeValue(asks, value);
  for (const test of tests) takeTest(asks, test, internal);
  for (const change of changes) {
    if (change.form === 'set') takeValue(asks, change.to);
    if (change.form === 'cap') asks.numbers.add(change.at);
    if (change.form === 'restrict') for (const domain of [...change.to, ...(change.to.includes('internal') ? internal : [])]) asks.domains.add(domain);
    if (change.form === 'add_filter') asks.filters.add(change.and);
  }
  return asks;
}

function takeTest(asks: Asks, test: Test, internal: readonly string[]): void {
  switch (test.op) {
    case 'eq':
    case 'not':
      takeValue(asks, test.value);
      return;
    case 'in':
    case 'not_in':
      for (const value of test.values) takeValue(asks, value);
      return;
    case 'contains':
    case 'contains_all':
      for (const value of test.values) {
        takeValue(asks, value);
        if (typeof value === 'string') asks.parts.add(value);
      }
      return;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      asks.numbers.add(test.value);
      return;
    case 'matches':
      takePattern(asks, test.source);
      return;
    case 'starts_with':
      for (const prefix of test.values) asks.prefixes.add(prefix);
      return;
    case 'within':
      for (const folder of test.values) asks.folders.add(folder);
      return;
    case 'domain_in':
      for (const domain of test.values) asks.domains.add(domain);
      return;
    case 'external':
      for (const domain of internal) asks.domains.add(domain);
      return;
    case 'owned_by':
      if (test.owner !== 'requesting_user') asks.constants.add(test.owner.named);
      return;
    default:
  }
}

function takeValue(asks: Asks, value: Json): void {
  if (typeof value === 'string') asks.constants.add(value);
  else if (typeof value === 'number') asks.numbers.add(value);
  else if (typeof value === 'boolean') asks.booleans.add(value);
}

function takePattern(asks: Asks, source: string): void {
  const simple = simplePattern(source);
  if (!simple) asks.patterns.add(source);
  else if (simple.starts && simple.ends) asks.constants.add(simple.word);
  else if (simple.starts) asks.prefixes.add(simple.word);
  else if (simple.ends) asks.suffixes.add(simple.word);
  else asks.parts.add(simple.word);
}
