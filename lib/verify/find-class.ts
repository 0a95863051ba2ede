import type { ChangeClass } from '@/lib/authority/policy-revision';
import type { Catalogue } from '@/lib/mediate/catalogue';
import { comparePolicies, comparisonMethod } from '@/lib/policy/compare/compare-policies';
import { classOf } from '@/lib/policy/proof';
import { fromUtf8, type Sha256 } from '@/lib/shared/encoding';

import { textCompiler } from './compile-text';

/** The class of a change, found from both texts (base null: nothing was in force); null: one of them does not compile with this version. */
export type FindClass = {
  /** What proofs call this way of comparing. */
  readonly method: string;
  readonly of: (base: Uint8Array | null, next: Uint8Array) => ChangeClass | null;
};

/** The comparison that ships, within the bounds that every process that loads a policy keeps to. The same pair is compared once. */
export function findClassWith(sha256: Sha256, catalogue: Catalogue): FindClass {
  const compile = textCompiler(sha256, catalogue);
  const found = new Map<string, ChangeClass | null>();
  const find = (base: string | null | undefined, next: string | undefined): ChangeClass | null => {
    if (base === next) return 'tighten';
    const before = typeof base === 'string' ? compile(base) : null;
    const after = next === undefined ? null : compile(next);
    return after && (before || base === null) ? classOf(comparePolicies(before, after)) : null;
  };
  return {
    method: comparisonMethod,
    of: (base, next) => {
      const texts = [base && fromUtf8(base), fromUtf8(next)] as const;
      const key = JSON.stringify(texts);
      const known = found.get(key);
      if (known !== undefined) return known;
      const change = find(...texts);
      found.set(key, change);
      return change;
    },
  };
}
